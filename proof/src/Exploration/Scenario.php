<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

/** How many processes there are and what may happen to them. Each may die before any step. */
final readonly class Scenario
{
    /**
     * @param int  $flushers  processes that take every page away, as `larder flush` does
     * @param bool $faults    every call that changes a file may fail
     * @param bool $everyStep suspends also before what cannot matter to other processes; see DrivenPdo and DrivenFiles
     * @param int  $minimum   states that there are at least
     * @param bool $locking   with MariaDB, which locks rows one by one, instead of SQLite
     * @param Troubles|null $servers of memcached, which then have the pages; null: files have them
     */
    public function __construct(
        public int $renderers,
        public int $writers,
        public bool $faults = false,
        public bool $everyStep = false,
        public int $flushers = 0,
        public int $minimum = 0,
        public ?Troubles $servers = null,
        public bool $locking = false,
    ) {}

    /** @return list<self> */
    public static function usual(): array
    {
        return [
            new self(1, 1, minimum: 120),
            new self(1, 1, everyStep: true, minimum: 700),
            new self(1, 1, faults: true, minimum: 150),
            new self(1, 0, everyStep: true, flushers: 1, minimum: 1000),
            new self(1, 2, minimum: 350),
        ];
    }

    /** @return list<self> those that take longer than all usual ones */
    public static function large(): array
    {
        return [new self(2, 1, minimum: 3000)];
    }

    /** @return list<self> */
    public static function usualOfServers(): array
    {
        return [
            new self(1, 1, minimum: 120, servers: new Troubles()),
            new self(1, 1, minimum: 1000, servers: new Troubles(silences: 1)),
            new self(1, 1, minimum: 400, servers: new Troubles(restarts: 1)),
            new self(1, 1, minimum: 600, servers: new Troubles(losses: 1)),
            ...array_map(
                static fn(Remains $remains): self => new self(1, 1, minimum: 200, servers: new Troubles(
                    remains: $remains,
                )),
                [Remains::Unmarked, Remains::Foreign, Remains::Ahead],
            ),
            new self(1, 1, flushers: 1, minimum: 1000, servers: new Troubles()),
            new self(2, 0, minimum: 1000, servers: new Troubles(restarts: 1)),
            new self(2, 1, minimum: 3000, servers: new Troubles()),
            new self(2, 1, minimum: 1000, servers: new Troubles(leases: true)),
        ];
    }

    /** @return list<self> */
    public static function usualOfMariaDb(): array
    {
        return [
            new self(1, 1, minimum: 290, servers: new Troubles(), locking: true),
            new self(1, 1, minimum: 600, servers: new Troubles(losses: 1), locking: true),
            new self(1, 1, minimum: 600, servers: new Troubles(silences: 1), locking: true),
        ];
    }

    /** @param Violation|null $sought ends at the first state in which this is so; null: all states */
    public function explore(
        Implementation $implementation = new Implementation(),
        ?Violation $sought = null,
    ): Exploration {
        $storage = Storage::temporary(new StoppedClock(), $this);
        try {
            $system = new PageSystem($storage, $implementation, $this);
            if ($this->locking) {
                $system->rehearse();
            }

            return (new Explorer($system, $sought))->explore();
        } finally {
            $storage->remove();
        }
    }

    public function place(string $pages): PagePlace
    {
        return $this->servers === null
            ? new FilePlace($pages, $this->faults, $this->everyStep)
            : new ServerPlace($this->servers);
    }

    public function __toString(): string
    {
        return "{$this->renderers}R {$this->writers}W"
            . ($this->flushers > 0 ? " {$this->flushers}F" : '')
            . ($this->locking ? ' on MariaDB' : '')
            . ($this->servers ?? '')
            . ($this->faults ? ' with faults' : '')
            . ($this->everyStep ? ' every step' : '');
    }
}
