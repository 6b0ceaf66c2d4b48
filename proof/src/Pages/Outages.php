<?php

declare(strict_types=1);

namespace Larder\Proof\Pages;

use Larder\Testbed\Server\Memcached;

/**
 * Memcached servers that are away for a moment, one after the other: killed and begun anew, empty, or stopped, so that
 * they answer nothing until they go on.
 */
final class Outages
{
    /** Milliseconds that a server is away at most: some more than anybody waits for it. */
    private const LONGEST = 400;

    private int $restarts = 0;
    private int $stops = 0;
    private ?Memcached $away = null;

    /** When it comes back, as hrtime. */
    private int $until = 0;

    /** @param list<Memcached> $servers */
    public function __construct(private readonly array $servers) {}

    /** @return array{memcached_restarts: int, memcached_stops: int} outages so far */
    public function counts(): array
    {
        return ['memcached_restarts' => $this->restarts, 'memcached_stops' => $this->stops];
    }

    /** Begins an outage, unless there are no servers or one is away. */
    public function begin(): void
    {
        if ($this->servers === [] || $this->away !== null) {
            return;
        }
        // Each server in turn, and each of its outages of the other kind.
        $number = $this->restarts + $this->stops;
        $this->away = $this->servers[$number % \count($this->servers)];
        $this->until = (int) hrtime(true) + 1_000_000 * random_int(0, self::LONGEST);
        if (intdiv($number, \count($this->servers)) % 2 === 0) {
            ++$this->restarts;
            $this->away->kill();
        } else {
            ++$this->stops;
            $this->away->pause();
        }
    }

    /** Ends the outage whose time is over. */
    public function goOn(): void
    {
        if (hrtime(true) >= $this->until) {
            $this->end();
        }
    }

    /** Ends the outage, if there is one. */
    public function end(): void
    {
        if ($this->away?->isRunning() === true) {
            $this->away->resume();
        } else {
            $this->away?->start();
        }
        $this->away = null;
    }
}
