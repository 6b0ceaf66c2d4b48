<?php

declare(strict_types=1);

namespace Larder\Torture\Pages;

use Closure;
use Larder\Dependency\RecordingPdo;
use Larder\Dependency\Registry;
use Larder\Dependency\SqlLedger;
use Larder\Metrics\FileCounters;
use Larder\Page\Pages;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Findings;
use Larder\Testbed\Process\WorkerPool;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\Server\DeployedSite;
use Larder\Torture\Result;

/**
 * Readers and writers on real servers, while php-fpm workers and writers are killed every few milliseconds, and the
 * site is deployed and flushed.
 *
 * No GET may show less than the reader's own SELECT had seen before it. The change of a killed writer counts as soon as
 * a SELECT sees it.
 */
final class PagesRun
{
    private const READERS = 3;

    /** Milliseconds between two kills of a php-fpm worker. */
    private const KILL_AFTER = [4, 24];

    /** Reads that are answered between two kills, so that a slow machine sees reads and not only kills. */
    private const READS_BETWEEN_KILLS = 28;

    /** The same for changes: each takes some pages away, and a slow machine would see nothing but misses. */
    private const READS_BETWEEN_CHANGES = 28;

    /** Seconds after which the next kill or change comes although too few reads were answered. */
    private const LONGEST_WAIT = 1.0;

    /** One of this many kills hits a writer. */
    private const WRITER_SHARE = 12;

    /** One of this many writers has the registry of an older release. */
    private const OLD_SHARE = 8;

    /** Microseconds between two changes of all writers together, on average, if they took no time. */
    private const REST = 65_000;

    /** Seconds after the end in which readers have to be done. */
    private const PATIENCE = 30.0;

    /** Findings that are printed. */
    private const SHOWN = 5;

    private readonly Account $account;
    private readonly Board $board;
    private readonly Findings $findings;
    private int $kills = 0;

    /** @var non-empty-list<WriterKind> a writer of each */
    private readonly array $writers;

    /** Readers and writers. */
    private readonly int $processes;

    /**
     * @param DeployedSite          $site      this process must have no connection to its database when it forks
     * @param Closure(string): void $progress  called once a second
     * @param SiteCode|null         $code      of the site, of which releases are deployed; null: none are
     * @param bool                  $withKills false: readers and writers only
     */
    public function __construct(
        private readonly DeployedSite $site,
        private readonly Closure $progress,
        private readonly ?SiteCode $code = null,
        private readonly bool $withKills = true,
    ) {
        $this->account = Account::of(self::owner($site->pages));
        $this->writers = WriterKind::on($site->database->kind);
        $this->processes = self::READERS + \count($this->writers);
        $this->board = Board::create([PageCount::class => $this->processes + 1, Mark::class => 1]);
        $this->findings = new Findings($site->running->directory . '/wrong');
    }

    public function run(float $seconds): Result
    {
        $end = (int) (hrtime(true) + $seconds * 1e9);
        $readers = new WorkerPool(fn(int $number) => $this->read($number, $end));
        $writers = new WorkerPool(fn(int $number) => $this->write($number));
        $deployers = new WorkerPool(fn() => $this->deploy($end));
        $readers->fill(self::READERS);
        $writers->fill(\count($this->writers));
        $deployers->fill($this->code === null ? 0 : 1);
        $this->kill($end, $writers);
        $writers->killAll();
        foreach (['reader' => $readers, 'deployer' => $deployers] as $what => $workers) {
            foreach ($workers->end(self::PATIENCE) as $ended) {
                if (!$ended->finished) {
                    $this->board->add(PageCount::Wrong, index: $ended->number);
                    $this->findings->add("a $what " . $ended->reason());
                }
            }
        }
        $stored = (new FileCounters($this->site->pages . '/counters'))->all();

        return self::result(
            $this->board,
            $this->findings,
            $this->kills,
            $stored,
            $seconds,
            $this->code !== null,
            $this->writers,
        );
    }

    /**
     * @param array<string, int> $counters    of the site
     * @param bool               $withDeploys whether there must have been deployments too
     * @param list<WriterKind>   $writers     in the order of their places on the board, after the readers
     */
    public static function result(
        Board $board,
        Findings $findings,
        int $kills,
        array $counters,
        float $seconds,
        bool $withDeploys = false,
        array $writers = [],
    ): Result {
        $changesBy = [];
        foreach ($writers as $number => $kind) {
            $changesBy['changes_by_' . $kind->value] = $board->get(PageCount::Changes, self::READERS + $number);
        }
        $events = [
            'deploys' => $board->sum(PageCount::Deploys),
            'deploys_killed' => $board->sum(PageCount::DeploysKilled),
            'flushes' => $board->sum(PageCount::Flushes),
            'registry_changes' => $board->sum(PageCount::RegistryChanges),
            'reloads' => $board->sum(PageCount::Reloads),
        ];
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
                ...$changesBy,
                'kills' => $kills,
                ...$events,
                'stores' => $stores,
                // A check of the ledger prevented them, or a draft that was gone.
                'stores_prevented' => $counters['larder_page_stores_changed_total'] ?? 0,
                'findings' => \array_slice($findings->all(), 0, self::SHOWN),
            ],
            \sprintf('stale: %d of %d reads, %d changes, %d kills', $stale, $reads, $changes, $kills),
            $stale === 0 && $wrong === 0,
            $reads >= 10 * $seconds
                && min($changes, $kills, $stores) >= $seconds
                && (!$withDeploys || min($events) > 0)
                && !\in_array(0, $changesBy, true),
            'Too few reads, changes, kills, stores, deploys or flushes to show anything.',
        );
    }

    private function kill(int $end, WorkerPool $writers): void
    {
        $told = (int) hrtime(true);
        $deployed = 0;
        while (hrtime(true) < $end) {
            usleep(random_int(...self::KILL_AFTER) * 1000);
            $this->awaitReads($this->board->sum(PageCount::Reads) + self::READS_BETWEEN_KILLS);
            // A deployment starts the site's other programs again too. Some still run with the registry of before.
            if ($this->withKills && $deployed !== $this->board->get(Mark::Reloaded)) {
                $deployed = $this->board->get(Mark::Reloaded);
                foreach (array_keys($this->writers) as $number) {
                    $this->kills += $writers->kill($number) === null ? 0 : 1;
                }
            }
            if ($this->withKills && random_int(1, self::WRITER_SHARE) === 1) {
                $this->kills += $writers->kill(random_int(0, \count($this->writers) - 1)) === null ? 0 : 1;
            } elseif ($this->withKills) {
                $workers = $this->site->running->php->workers();
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

    private function awaitReads(int $wanted): void
    {
        $deadline = hrtime(true) + self::LONGEST_WAIT * 1e9;
        while ($this->board->sum(PageCount::Reads) < $wanted && hrtime(true) < $deadline) {
            usleep(2_000);
        }
    }

    private function read(int $number, int $end): void
    {
        $connection = new Connection('127.0.0.1:' . $this->site->running->port);
        $items = HotItems::of($this->site->database->connect());
        $reader = new PageReader($connection, $items, $this->board, $number, $this->findings);
        while (hrtime(true) < $end) {
            $reader->read();
        }
    }

    private function write(int $number): never
    {
        $this->account->become();
        $items = HotItems::of($this->site->database->connect());
        [$writer, $ledger] = $this->connect($this->writers[$number]);
        while (true) {
            $reads = $this->board->sum(PageCount::Reads);
            $ledger !== null && random_int(0, 1) === 1
                ? $items->changeTold($ledger, $writer)
                : $items->change($writer);
            $this->board->add(PageCount::Changes, index: self::READERS + $number);
            usleep(random_int(0, 2 * self::REST * \count($this->writers)));
            $this->awaitReads($reads + self::READS_BETWEEN_CHANGES * \count($this->writers));
        }
    }

    /**
     * With the registry of the code, or, as a program that nobody restarted after a deployment, with another one.
     *
     * @return array{Writer, SqlLedger|null} a ledger for a writer that tells at times what it changes
     */
    private function connect(WriterKind $kind): array
    {
        $isOld = $this->code !== null && random_int(1, self::OLD_SHARE) === 1;
        $registry = $this->code === null
            ? new Registry()
            : SiteCode::registry(($this->board->get(Mark::Declares) === 1) !== $isOld);
        $database = $this->site->database;
        if ($kind === WriterKind::Dbal) {
            return [new DbalWriter($this->site->site, $database, $registry), null];
        }
        if ($kind === WriterKind::Mysqli) {
            $connection = $this->site->site->follow(MysqliWriter::connect($database, $registry));

            return [new MysqliWriter($connection), Pages::of($this->site->site)->ledger($connection)];
        }
        $connection = $this->site->site->follow(
            new RecordingPdo($database->dsn, $registry, user: $database->user, password: $database->password),
        );
        if ($database->kind === DatabaseKind::Sqlite) {
            $connection->exec('PRAGMA busy_timeout = 5000');
            $connection->exec('PRAGMA synchronous = NORMAL');
        }

        return [new PdoWriter($connection), Pages::of($this->site->site)->ledger($connection)];
    }

    private function deploy(int $end): void
    {
        if ($this->code !== null) {
            (new Deployer($this->site, $this->code, $this->account, $this->board, $this->processes))
                ->work($end);
        }
    }

    private static function owner(string $directory): ?string
    {
        $owner = posix_getpwuid((int) fileowner($directory));

        return $owner === false ? null : $owner['name'];
    }
}
