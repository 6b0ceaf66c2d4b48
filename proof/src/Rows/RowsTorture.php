<?php

declare(strict_types=1);

namespace Larder\Proof\Rows;

use Larder\Proof\About;
use Larder\Proof\Option;
use Larder\Proof\RequiredExtension;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\Proof\StoreUnderTest;
use Larder\Proof\Torture;
use Larder\Testbed\Process\Findings;
use Larder\Testbed\Process\Signals;
use Larder\Testbed\Process\WorkerPool;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\TemporaryDirectory;

/** Runs readers and writers of rows on one store after the other. */
final class RowsTorture implements Torture
{
    private const READERS = 3;

    private const WRITERS = 3;

    /** Where others write too: of each kind, Larder's, those by PDO, those by the console. */
    private const OF_EACH = 2;

    private const STORES = ['memory', 'memcached', 'tiers'];

    /** Seconds between two restarts of the store's server. */
    private const RESTART = 4.0;

    /** Microseconds that a server is gone at most. */
    private const DOWN = 100_000;

    /** Seconds that the processes of a trial may take to end. */
    private const PATIENCE = 20.0;

    /** Processes that may fail before they are no longer replaced. */
    private const FAILURES = 10;

    /** Milliseconds of a call to the store, and until a server that failed is asked again. */
    private const TIMEOUT = 2_000;

    private const RETRY = 50;

    private ?StoreUnderTest $store = null;

    private ?Database $database = null;

    private ?WorkerPool $pool = null;

    private ?RowFollower $follower = null;
    private ?LogCopy $copy = null;

    private int $restarts = 0;

    private int $followerKills = 0;

    private int $followerStops = 0;

    public function about(): About
    {
        return new About(
            'rows',
            'Changes rows, kills who does, and counts rows and lists that are older than what was committed',
            <<<'HELP'
            Example: <info>script/torture rows --seconds=300 --database=postgresql</info>

            Writers change, delete and insert rows through Larder, some in bulk, and kill themselves between every two
            steps. Readers take rows by find(), findMany() and findAll(), and pages whose ids are kept by Listing. No
            row may have a version below the last one whose COMMIT had returned before they asked, and no list may lack
            a row that has been in it all the time. The server of the store is killed and started again.

            With <info>--followed</info> two thirds of the changes are made by plain PDO and by the database's console,
            and a follower ends what they change. It is killed, and stopped for longer than it may be silent. What was
            written through Larder is still never old; what others wrote may be as old as maxLag and 2 seconds.

            The exit code is 1 if anything was stale, and 2 if the run was too poor to show anything.
            HELP,
            [
                Option::seconds(2),
                Option::choice('database', 'Where the rows are', ['mariadb', 'postgresql'], 'mariadb'),
                Option::several('stores', 'Where they are kept', self::STORES),
                Option::seed(),
                Option::flag('followed', 'Others write too, and a follower of the log ends what they change'),
                Option::choice('broken', 'Take a guard away, to see that it is missed: fill (rows are stored past locks),'
                    . ' lease (they are stored though the lease was lost), late (they end after COMMIT), barrier (the'
                    . ' follower ends them before the change can be seen; on PostgreSQL), heartbeat (they are handed out'
                    . ' without a follower)', array_values(
                        array_filter(array_column(MissingGuard::cases(), 'value')),
                    )),
                Option::extension(),
            ],
            RequiredExtension::Loaded,
        );
    }

    public function run(Run $run): Result
    {
        $scratch = new TemporaryDirectory('larder-rows');
        $findings = new Findings($scratch->path . '/wrong');
        $kind = DatabaseKind::from($run->text('database'));
        $stores = $run->words('stores');
        $isFollowed = $run->has('followed');
        $workers = self::READERS + ($isFollowed ? 3 * self::OF_EACH : self::WRITERS);
        $trials = [];
        Signals::stop($this->stop(...));
        try {
            foreach ($stores as $i => $name) {
                $directory = $scratch->path . '/' . $i;
                mkdir($directory);
                $this->store = new StoreUnderTest($name, $directory, 'rows', self::TIMEOUT, self::RETRY);
                $this->database = Database::start($kind, $directory . '-rows', $isFollowed);
                $trial = new RowTrial(
                    $name,
                    MissingGuard::from($run->text('broken')),
                    $this->store,
                    $this->database,
                    $findings,
                    $workers,
                    $isFollowed,
                );
                $this->try(
                    $trial,
                    $run->seconds() / \count($stores),
                    $run->seed() + 1_000_000 * $i,
                    $workers,
                    $directory,
                );
                $counts = self::counts($trial);
                $trials[] = $counts;
                $run->tell(self::line($name, $counts));
                $this->stop();
            }
        } finally {
            $this->stop();
            $all = $findings->all();
            $scratch->remove();
        }

        return self::result($trials, $this->restarts, $all, $isFollowed ? [
            'follower_kills' => $this->followerKills,
            'follower_stops' => $this->followerStops,
        ] : []);
    }

    /**
     * @param list<array<string, int>> $trials   counts of each, by the name of a RowCount
     * @param list<string>             $findings
     * @param array<string, int>       $attacks on the follower; empty: there was none
     */
    public static function result(array $trials, int $restarts, array $findings, array $attacks = []): Result
    {
        $sums = [];
        foreach (RowCount::cases() as $count) {
            $sums[$count->name] = array_sum(array_column($trials, $count->name));
        }
        $isPoor = static fn(array $counts): bool => $counts['Hits'] < 100 || $counts['Changes'] < 20;

        return new Result(
            [
                'stale' => $sums['Stale'],
                'reads' => $sums['Reads'],
                'hits' => $sums['Hits'],
                'lists' => $sums['Lists'],
                'missing_rows' => $sums['Missing'],
                'changes' => $sums['Changes'],
                ...($attacks === [] ? [] : ['by_plain_pdo' => $sums['Plain'], 'by_console' => $sums['Console']]),
                'bulk_changes' => $sums['Bulk'],
                'rolled_back' => $sums['RolledBack'],
                'kills' => $sums['Kills'],
                'restarts' => $restarts,
                ...$attacks,
                'findings' => $findings,
            ],
            \sprintf('stale: %d of %d reads, %d changes', $sums['Stale'], $sums['Reads'], $sums['Changes']),
            $findings === [] && $sums['Stale'] === 0,
            array_filter($trials, $isPoor) === [] && 2 * $sums['Hits'] >= $sums['Reads']
                && !\in_array(0, [$sums['Kills'], $sums['Missing'], $sums['Bulk'], $sums['Lists']], true)
                && ($attacks === [] || !\in_array(0, [$sums['Plain'], $sums['Console'], ...$attacks], true)),
            'Too few reads, hits or changes to show anything, or something that a run must meet never happened.',
        );
    }

    private function try(RowTrial $trial, float $seconds, int $seed, int $workers, string $directory): void
    {
        $trial->store->start();
        foreach ([0, 1] as $host) {
            $trial->store->open($host)->clear();
        }
        $this->copy = $trial->make($directory . '/log');
        $this->follower = $trial->isFollowed
            ? new RowFollower($trial, $directory . '/follow', $seed, $seconds)
            : null;
        $trial->endAfter($seconds);
        $this->pool = new WorkerPool(static fn(int $number) => self::work($trial, $number, $directory), $seed);
        $this->pool->fill($workers);
        $due = hrtime(true) + self::RESTART * 1e9;
        for ($failures = 0; $this->pool->numbers() !== []; usleep(2_000)) {
            $this->follower?->attack();
            $this->copy?->letGo();
            $failures += $this->replaceEnded($trial, $this->pool, $failures < self::FAILURES);
            if ($trial->isOver(self::PATIENCE)) {
                $trial->findings->add($trial->name . ': its processes do not end');
                $this->pool->killAll();
            } elseif (hrtime(true) > $due && !$trial->isOver()) {
                $due = hrtime(true) + self::RESTART * 1e9;
                $this->restarts += $trial->store->restart(mt_rand(0, self::DOWN)) ? 1 : 0;
            }
        }
    }

    private static function work(RowTrial $trial, int $number, string $directory): void
    {
        $kind = $trial->isFollowed ? intdiv($number - self::READERS, self::OF_EACH) : 0;
        match (true) {
            $number < self::READERS => (new RowReader($trial, $number))->work(),
            $kind === 0 => (new RowWriter($trial, $number))->work(),
            $kind === 1 => (new ForeignWriter(
                $trial,
                $number,
                new PlainSession($trial->database),
                RowCount::Plain,
            ))->work(),
            default => (new ForeignWriter(
                $trial,
                $number,
                new ConsoleSession($trial->database, $directory),
                RowCount::Console,
            ))->work(),
        };
    }

    /** @return int processes that failed; one that killed itself has not */
    private function replaceEnded(RowTrial $trial, WorkerPool $pool, bool $replace): int
    {
        $failures = 0;
        foreach ($pool->reap() as $end) {
            if (!$end->finished && !$end->isKilled()) {
                ++$failures;
                $trial->findings->add("$trial->name: process $end->number " . $end->reason());
            }
            if (!$trial->isOver() && $replace) {
                $pool->start($end->number);
            }
        }

        return $failures;
    }

    /** @return array<string, int> */
    private static function counts(RowTrial $trial): array
    {
        $counts = [];
        foreach (RowCount::cases() as $count) {
            $counts[$count->name] = $trial->board->sum($count);
        }

        return $counts;
    }

    /** @param array<string, int> $counts */
    private static function line(string $name, array $counts): string
    {
        return \sprintf(
            '%-10s %d stale of %d reads (%d %% hits), %d changes (%d in bulk, %d rolled back), %d kills',
            $name,
            $counts['Stale'],
            $counts['Reads'],
            intdiv(100 * $counts['Hits'], max(1, $counts['Reads'])),
            $counts['Changes'],
            $counts['Bulk'],
            $counts['RolledBack'],
            $counts['Kills'],
        );
    }

    private function stop(): void
    {
        $this->pool?->killAll();
        $this->pool = null;
        $this->follower?->end();
        $this->followerKills += $this->follower->kills ?? 0;
        $this->followerStops += $this->follower->stops ?? 0;
        $this->follower = null;
        $this->store?->stop();
        $this->store = null;
        $this->copy?->end();
        $this->copy = null;
        $this->database?->stop();
        $this->database = null;
    }
}
