<?php

declare(strict_types=1);

namespace Larder\Proof\Pages;

use Closure;
use Larder\Metrics\FileCounters;
use Larder\Proof\Result;
use Larder\Sql\Schema\Registry;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Findings;
use Larder\Testbed\Process\WorkerPool;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Site\DeployedSite;

/**
 * Readers and writers on real servers of one or more hosts, while php-fpm workers and writers are killed every few
 * milliseconds, the servers of the pages are away for moments, and the site is deployed and flushed.
 *
 * No GET may show less than the reader's own SELECT had seen before it, on whatever host. The change of a killed writer
 * counts as soon as a SELECT sees it.
 */
final class PagesRun
{
    /** Milliseconds between two kills of a php-fpm worker. */
    private const KILL_AFTER = [4, 24];

    /** Reads that are answered between two kills, so that a slow machine sees reads and not only kills. */
    private const READS_BETWEEN_KILLS = 28;

    /**
     * The same for changes, of each host: each takes some pages away, and a slow machine would see nothing but misses.
     * Each host has its visitors, and all of them read what one of them changes.
     */
    private const READS_BETWEEN_CHANGES = 28;

    /**
     * Seconds after which the next kill or change comes although too few reads were answered. Shorter, and a slow
     * machine has a change for each few reads: all of them are misses then, which makes it slower still.
     */
    private const LONGEST_WAIT = 5.0;

    /** One of this many kills hits a writer. */
    private const WRITER_SHARE = 12;

    /** With one of this many kills a memcached server goes away, unless one is. */
    private const OUTAGE_SHARE = 20;

    /** One of this many writers has the registry of an older release. */
    private const OLD_SHARE = 8;

    /** Microseconds between two changes of all writers together, on average, if they took no time. */
    private const REST = 65_000;

    /** Seconds after the end in which readers have to be done. */
    private const PATIENCE = 240.0;

    /**
     * Seconds after which a reader gives a request up. Where a worker is killed once it has sent all of an answer and
     * before it has closed the connection, nginx 1.22 sends the head alone, and then waits for its send_timeout.
     */
    private const UNANSWERED = 10.0;

    private readonly Account $account;
    private readonly Crew $crew;
    private readonly Board $board;
    private readonly Findings $findings;
    private readonly Outages $outages;
    private int $kills = 0;

    /** Writers that ended by an error of the database, such as a deadlock. */
    private int $failures = 0;

    /**
     * @param non-empty-list<DeployedSite> $hosts this process must have no connection to their database when it forks
     * @param Closure(string): void $progress  called once a second
     * @param SiteCode|null         $code      of the site, of which releases are deployed; null: none are
     * @param bool                  $withKills false: readers and writers only
     * @param list<Memcached>       $memcached servers that have the pages
     * @param int<1, max>|null      $writing   so many of the hosts, from the first on, have writers; null: all
     * @param bool                  $untilWrong whether the run ends as soon as anything is stale or wrong
     */
    public function __construct(
        private readonly array $hosts,
        private readonly Closure $progress,
        private readonly ?SiteCode $code = null,
        private readonly bool $withKills = true,
        array $memcached = [],
        ?int $writing = null,
        private readonly bool $untilWrong = false,
    ) {
        $this->account = Account::of(self::owner($hosts[0]->pages));
        $this->crew = new Crew($hosts[0]->database->kind, \count($hosts), $writing ?? \count($hosts));
        $this->board = Board::create([PageCount::class => $this->crew->size(), Mark::class => \count($hosts)]);
        $this->findings = new Findings($hosts[0]->running->directory . '/wrong');
        $this->outages = new Outages($memcached);
    }

    public function run(float $seconds): Result
    {
        $end = (int) (hrtime(true) + $seconds * 1e9);
        $readers = new WorkerPool(fn(int $number) => $this->read($number, $end));
        $writers = new WorkerPool(fn(int $number) => $this->write($number));
        $deployers = new WorkerPool(fn() => $this->deploy($end));
        $readers->fill($this->crew->readers());
        $writers->fill($this->crew->writers());
        $deployers->fill($this->code === null ? 0 : 1);
        $this->kill($end, $writers);
        $this->outages->end();
        $writers->killAll();
        if ($this->isOver()) {
            // It has long rests, and is in the midst of something.
            $deployers->killAll();
        }
        foreach (['reader' => $readers, 'deployer' => $deployers] as $what => $workers) {
            foreach ($workers->end(self::PATIENCE) as $ended) {
                if (!$ended->finished) {
                    $this->board->add(PageCount::Wrong, index: $ended->number);
                    $this->findings->add("a $what " . $ended->reason());
                }
            }
        }
        $tally = new PageTally($this->crew, $this->board, $this->findings);

        return $tally->result($seconds, $this->kills, $this->counters(), $this->code !== null, [
            'writers_failed' => $this->failures,
            ...$this->outages->counts(),
        ]);
    }

    /** @return array<string, int|float> of all hosts together */
    private function counters(): array
    {
        $sums = [];
        foreach ($this->hosts as $host) {
            foreach ((new FileCounters($host->pages . '/counters'))->all() as $name => $count) {
                $sums[$name] = ($sums[$name] ?? 0) + $count;
            }
        }

        return $sums;
    }

    private function kill(int $end, WorkerPool $writers): void
    {
        $told = (int) hrtime(true);
        $reloaded = $this->board->all(Mark::Reloaded);
        if ($this->withKills) {
            // A short run has one too.
            $this->outages->begin();
        }
        while (hrtime(true) < $end && !$this->isOver()) {
            usleep(random_int(...self::KILL_AFTER) * 1000);
            $wanted = $this->board->sum(PageCount::Reads) + self::READS_BETWEEN_KILLS;
            $this->awaitReads($wanted, $end, $this->outages->goOn(...));
            if ($this->withKills) {
                $reloaded = $this->startAgain($reloaded, $writers);
                $this->killOne($writers);
            }
            $this->outages->goOn();
            if ($this->withKills && random_int(1, self::OUTAGE_SHARE) === 1) {
                $this->outages->begin();
            }
            foreach ($writers->reap() as $ended) {
                ++$this->failures;
                ($this->progress)('a writer ' . $ended->reason());
                $writers->start($ended->number);
            }
            if (hrtime(true) - $told >= 1e9) {
                $told = (int) hrtime(true);
                $left = (int) ceil(max(0, $end - $told) / 1e9);
                $changes = $this->board->sum(PageCount::Changes);
                ($this->progress)(\sprintf('%d changes, %d kills, %d s left', $changes, $this->kills, $left));
            }
        }
    }

    private function isOver(): bool
    {
        return $this->untilWrong
            && $this->board->sum(PageCount::Stale) + $this->board->sum(PageCount::Wrong) > 0;
    }

    /**
     * A deployment starts the site's other programs on its host again too. Some still run with the registry of before.
     *
     * @param list<int> $before release that each host was reloaded after
     *
     * @return list<int> the same now
     */
    private function startAgain(array $before, WorkerPool $writers): array
    {
        $now = $this->board->all(Mark::Reloaded);
        for ($number = 0; $number < $this->crew->writers(); ++$number) {
            $host = $this->crew->hostOfWriter($number);
            $this->kills += $now[$host] !== $before[$host] && $writers->kill($number) !== null ? 1 : 0;
        }

        return $now;
    }

    private function killOne(WorkerPool $writers): void
    {
        if (random_int(1, self::WRITER_SHARE) === 1) {
            $this->kills += $writers->kill(random_int(0, $this->crew->writers() - 1)) === null ? 0 : 1;

            return;
        }
        $workers = $this->hosts[array_rand($this->hosts)]->running->php->workers();
        $this->kills += $workers !== [] && posix_kill($workers[array_rand($workers)], SIGKILL) ? 1 : 0;
    }

    /**
     * @param int                    $end       nanoseconds of hrtime() after which nobody reads any more
     * @param (Closure(): void)|null $meanwhile
     */
    private function awaitReads(int $wanted, int $end = PHP_INT_MAX, ?Closure $meanwhile = null): void
    {
        $end = min($end, hrtime(true) + self::LONGEST_WAIT * 1e9);
        while ($this->board->sum(PageCount::Reads) < $wanted && hrtime(true) < $end && !$this->isOver()) {
            usleep(2_000);
            if ($meanwhile !== null) {
                $meanwhile();
            }
        }
    }

    private function read(int $number, int $end): void
    {
        $index = $this->crew->hostOfReader($number);
        $host = $this->hosts[$index];
        $connection = new Connection('127.0.0.1:' . $host->running->port, seconds: self::UNANSWERED);
        $items = HotItems::of($host->database->connect());
        $reader = new PageReader($connection, $items, $this->board, $number, $this->findings, $index);
        while (hrtime(true) < $end && !$this->isOver()) {
            $reader->read();
        }
    }

    private function write(int $number): never
    {
        $this->account->become();
        $isOld = $this->code !== null && random_int(1, self::OLD_SHARE) === 1;
        $registry = $this->code === null
            ? new Registry()
            : SiteCode::registry(($this->board->get(Mark::Declares) === 1) !== $isOld);
        $host = $this->hosts[$this->crew->hostOfWriter($number)];
        $kind = $this->crew->kindOfWriter($number);
        $writer = new HotWriter($host, $kind, $registry, $this->board, $this->crew->readers() + $number);
        while (true) {
            $reads = $this->board->sum(PageCount::Reads);
            $writer->write();
            usleep(random_int(0, 2 * self::REST * $this->crew->writers()));
            $between = self::READS_BETWEEN_CHANGES * \count($this->hosts);
            $this->awaitReads($reads + $between * $this->crew->writers());
        }
    }

    private function deploy(int $end): void
    {
        if ($this->code !== null) {
            $number = $this->crew->size() - 1;
            (new Deployer($this->hosts, $this->code, $this->account, $this->board, $number))->work($end);
        }
    }

    private static function owner(string $directory): ?string
    {
        $owner = posix_getpwuid((int) fileowner($directory));

        return $owner === false ? null : $owner['name'];
    }
}
