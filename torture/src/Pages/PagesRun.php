<?php

declare(strict_types=1);

namespace Larder\Torture\Pages;

use Closure;
use Larder\Metrics\FileCounters;
use Larder\Page\Pages;
use Larder\Page\Site;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Findings;
use Larder\Testbed\Process\WorkerPool;
use Larder\Testbed\Server\RunningSite;
use Larder\Torture\Result;
use PDO;

/**
 * Readers and writers on real servers, while php-fpm workers and writers are killed every few milliseconds.
 *
 * No GET may show less than the reader's own SELECT had seen before it. The change of a killed writer counts as soon as
 * a SELECT sees it.
 */
final class PagesRun
{
    private const READERS = 3;
    private const WRITERS = 2;

    /** Milliseconds between two kills of a php-fpm worker. */
    private const KILL_AFTER = [4, 24];

    /** Reads that are answered between two kills, so that a slow machine sees reads and not only kills. */
    private const READS_BETWEEN_KILLS = 5;

    /** Seconds after which the next kill comes although too few reads were answered. */
    private const LONGEST_WAIT = 1.0;

    /** One of this many kills hits a writer. */
    private const WRITER_SHARE = 12;

    /** Microseconds that a writer rests between two changes, on average. */
    private const REST = 50_000;

    /** The same for one that tells nothing: each of its changes takes away every page of the table. */
    private const UNTOLD_REST = 500_000;

    /** Seconds after the end in which readers have to be done. */
    private const PATIENCE = 30.0;

    /** Findings that are printed. */
    private const SHOWN = 5;

    private readonly Board $board;
    private readonly Findings $findings;
    private int $kills = 0;

    /**
     * @param string                $database  SQLite file; this process must have no connection to it when it forks
     * @param Closure(string): void $progress  called once a second
     * @param bool                  $withKills false: readers and writers only
     * @param bool                  $allTell   false: every second writer tells nothing of what it changes
     */
    public function __construct(
        private readonly Site $site,
        private readonly RunningSite $running,
        private readonly string $database,
        private readonly Closure $progress,
        private readonly bool $withKills = true,
        private readonly bool $allTell = true,
    ) {
        $this->board = Board::create([PageCount::class => self::READERS + self::WRITERS]);
        $this->findings = new Findings($running->directory . '/wrong');
    }

    public function run(float $seconds): Result
    {
        $end = (int) (hrtime(true) + $seconds * 1e9);
        $readers = new WorkerPool(fn(int $number) => $this->read($number, $end));
        $writers = new WorkerPool(fn(int $number) => $this->write(self::READERS + $number));
        $readers->fill(self::READERS);
        $writers->fill(self::WRITERS);
        $this->kill($end, $writers);
        $writers->killAll();
        foreach ($readers->end(self::PATIENCE) as $ended) {
            if (!$ended->finished) {
                $this->board->add(PageCount::Wrong, index: $ended->number);
                $this->findings->add('a reader ' . $ended->reason());
            }
        }
        $stored = (new FileCounters($this->site->pages . '/counters'))->all();

        return self::result($this->board, $this->findings, $this->kills, $stored, $seconds);
    }

    /** @param array<string, int> $counters of the site */
    public static function result(Board $board, Findings $findings, int $kills, array $counters, float $seconds): Result
    {
        [$reads, $changes] = [$board->sum(PageCount::Reads), $board->sum(PageCount::Changes)];
        [$stale, $wrong] = [$board->sum(PageCount::Stale), $board->sum(PageCount::Wrong)];
        $stores = $counters['larder_page_stores_total'] ?? 0;

        return new Result(
            [
                'stale' => $stale,
                'wrong' => $wrong,
                'reads' => $reads,
                'hits' => $board->sum(PageCount::Hits),
                'not_modified' => $board->sum(PageCount::NotModified),
                'compressed' => $board->sum(PageCount::Compressed),
                'unanswered' => $board->sum(PageCount::Unanswered),
                'changes' => $changes,
                'kills' => $kills,
                'stores' => $stores,
                // A check of the ledger prevented them, or a draft that was gone.
                'stores_prevented' => $counters['larder_page_stores_changed_total'] ?? 0,
                'findings' => \array_slice($findings->all(), 0, self::SHOWN),
            ],
            \sprintf('stale: %d of %d reads, %d changes, %d kills', $stale, $reads, $changes, $kills),
            $stale === 0 && $wrong === 0,
            $reads >= 10 * $seconds && min($changes, $kills, $stores) >= $seconds,
            'Too few reads, changes, kills or stores to show anything.',
        );
    }

    private function kill(int $end, WorkerPool $writers): void
    {
        $told = (int) hrtime(true);
        while (hrtime(true) < $end) {
            usleep(random_int(...self::KILL_AFTER) * 1000);
            $this->awaitReads();
            if ($this->withKills && random_int(1, self::WRITER_SHARE) === 1) {
                $this->kills += $writers->kill(random_int(0, self::WRITERS - 1)) === null ? 0 : 1;
            } elseif ($this->withKills) {
                $workers = $this->running->php->workers();
                $this->kills += $workers !== [] && posix_kill($workers[array_rand($workers)], SIGKILL) ? 1 : 0;
            }
            foreach ($writers->reap() as $ended) {
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

    private function awaitReads(): void
    {
        $wanted = $this->board->sum(PageCount::Reads) + self::READS_BETWEEN_KILLS;
        $deadline = hrtime(true) + self::LONGEST_WAIT * 1e9;
        while ($this->board->sum(PageCount::Reads) < $wanted && hrtime(true) < $deadline) {
            usleep(1_000);
        }
    }

    private function read(int $number, int $end): void
    {
        $connection = new Connection('127.0.0.1:' . $this->running->port);
        $options = [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION, PDO::ATTR_TIMEOUT => 10];
        $items = HotItems::of(new PDO('sqlite:' . $this->database, null, null, $options));
        $reader = new PageReader($connection, $items, $this->board, $number, $this->findings);
        while (hrtime(true) < $end) {
            $reader->read();
        }
    }

    private function write(int $index): never
    {
        $database = ($this->site->connect)();
        $ledger = Pages::of($this->site)->ledger($database);
        $items = HotItems::of($database);
        $tells = $this->allTell || $index % 2 === 0;
        while (true) {
            $tells ? $items->change($ledger, $database) : $items->changeUntold($ledger, $database);
            $this->board->add(PageCount::Changes, index: $index);
            usleep(random_int(0, 2 * ($tells ? self::REST : self::UNTOLD_REST)));
        }
    }
}
