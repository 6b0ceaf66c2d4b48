<?php

declare(strict_types=1);

namespace Larder\Proof\Values;

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
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\TemporaryDirectory;

/** Runs readers and writers on one mode after the other, each with a store and a database of its own. */
final class ValuesTorture implements Torture
{
    private const ROWS = 60;
    private const READERS = 3;
    private const WRITERS = 3;

    /** The part of the reads beside a closed gate that may wait, of few readers: one had asked before it was closed. */
    private const WAITING = 0.03;
    private const FEW = 2;

    /** Seconds between two restarts of a server; each trial has two at least. */
    private const RESTART = 1.5;

    /** Microseconds that a server is gone at most. */
    private const DOWN = 300_000;

    /** Seconds that the processes of a trial may take to end. */
    private const PATIENCE = 20.0;

    /** Processes that may fail before they are no longer replaced. */
    private const FAILURES = 10;

    /** Milliseconds of a call to the store, and until a server that failed is asked again. */
    private const TIMEOUT = 2_000;
    private const RETRY = 50;

    /** Reads a second that a run needs at least: a quarter of what one on a busy machine has shown. */
    private const READS = 50;

    private ?StoreUnderTest $store = null;
    private ?Database $database = null;
    private ?WorkerPool $pool = null;
    private int $restarts = 0;

    public function about(): About
    {
        $guards = array_values(array_filter(array_column(MissingGuard::cases(), 'value')));

        return new About(
            'values',
            'Changes rows, kills who does, and counts cached values that are older than what was committed',
            <<<'HELP'
            Example: <info>script/torture values --seconds=300 --settings=memcached-gated:tiers-strict</info>

            Writers change rows of a database, each of which counts its versions, and call change(). COMMIT is
            delayed at times, and writers kill themselves between every two steps. Readers take values made from the
            rows by remember(), and no value may have a version below the last one whose COMMIT had returned before they
            asked. Versions are taken out of the store at random, the store is cleared, and its server is killed and
            started again. Some computes are slow; some readers are in a transaction, or in the middle of a statement,
            that began before a change; some store by set(). Beside a gate that stays closed, which is often a dead
            writer's, readers may not wait for each other.

            On MariaDB and PostgreSQL only the settings run whose versions are in the database (strict).
            With versions in the store (gated) writers do not die after COMMIT while items are lost: that is the one
            case that mode does not cover. Where tiers may lag by 0.2 s, an older value is stale if it is older than
            that and the read itself. The exit code is 1 if anything was stale, and 2 if the run was too poor to show
            anything.
            HELP,
            [
                Option::seconds(2),
                Option::database(),
                Option::several('settings', 'Stores and where their versions are kept', array_keys(StoreMode::all())),
                Option::seed(),
                Option::choice('broken', 'Take a guard away, to see that it is missed: close (gates do not close),'
                    . ' check (nobody looks before COMMIT), order (versions are taken after the data)', $guards),
                Option::extension(),
            ],
            RequiredExtension::Loaded,
        );
    }

    public function run(Run $run): Result
    {
        $scratch = new TemporaryDirectory('larder-values');
        $findings = new Findings($scratch->path . '/wrong');
        $kind = DatabaseKind::from($run->text('database'));
        $modes = array_filter(
            array_intersect_key(StoreMode::all(), array_flip($run->words('settings'))),
            static fn(StoreMode $mode): bool => $mode->isStrict || $kind === DatabaseKind::Sqlite,
        );
        $missing = MissingGuard::from($run->text('broken'));
        $trials = array_merge(...array_values(array_map(
            static fn(StoreMode $mode): array => array_map(
                static fn(Hazard $hazard): array => [$mode, $hazard],
                $mode->hazards(),
            ),
            $modes,
        )));
        $counts = [];
        Signals::stop($this->stop(...));
        try {
            foreach ($trials as $i => [$mode, $hazard]) {
                $directory = $scratch->path . '/' . $i;
                mkdir($directory);
                $this->store = new StoreUnderTest(
                    $mode->store,
                    $directory,
                    'values',
                    self::TIMEOUT,
                    self::RETRY,
                    $mode->lag,
                );
                // Beside: the server of the store owns all of its directory.
                $this->database = new Database($kind, $directory . '-rows');
                $trial = new Trial(
                    $mode,
                    $hazard,
                    $missing,
                    $this->store,
                    $this->database,
                    $findings,
                    self::ROWS,
                    self::READERS + self::WRITERS + 1,
                );
                $this->try($trial, $run->seconds() / \count($trials), $run->seed() + 1_000_000 * $i);
                $counts[] = self::counts($trial);
                $run->tell(self::line($trial));
                $this->stop();
            }
        } finally {
            $this->stop();
            $all = $findings->all();
            $scratch->remove();
        }

        $hasServer = array_filter($modes, static fn(StoreMode $mode): bool => $mode->store !== 'memory') !== [];

        $hasGates = array_filter($modes, static fn(StoreMode $mode): bool => !$mode->isStrict) !== [];

        return self::result($counts, $hasServer ? $this->restarts : null, $all, $run->seconds(), $hasGates);
    }

    /**
     * @param list<array<string, int>> $trials   counts of each, by the name of a ValueCount
     * @param int|null                 $restarts null: there was no server
     * @param list<string>             $findings
     * @param bool                     $hasGates whether there was a trial with versions in the store
     */
    public static function result(
        array $trials,
        ?int $restarts,
        array $findings,
        float $seconds,
        bool $hasGates = true,
    ): Result {
        $sums = [];
        foreach (ValueCount::cases() as $count) {
            $numbers = array_column($trials, $count->name);
            $sums[$count->name] = $count === ValueCount::LongestLag ? max(0, ...$numbers) : array_sum($numbers);
        }
        $isPoor = static fn(array $counts): bool => $counts['Hits'] < 20 || $counts['Changes'] < 5;
        $once = [
            'Kills', 'ToldHits', 'OldTransactions', 'OldCursors', 'SlowComputes', 'Sets',
            ...($hasGates ? ['ClosedReads'] : []),
        ];
        foreach ($trials as $number => $counts) {
            if ($counts['ClosedWaits'] > max(self::FEW, self::WAITING * $counts['ClosedReads'])) {
                $findings[] = "trial $number: $counts[ClosedWaits] of $counts[ClosedReads] reads beside a closed gate"
                    . ' waited';
            }
        }

        return new Result(
            [
                'stale' => $sums['Stale'],
                'reads' => $sums['Reads'],
                'hits' => $sums['Hits'],
                'told_late_hits' => $sums['ToldHits'],
                'old_transactions' => $sums['OldTransactions'],
                'old_cursors' => $sums['OldCursors'],
                'slow_computes' => $sums['SlowComputes'],
                'reads_beside_closed_gates' => $sums['ClosedReads'],
                'waits_beside_closed_gates' => $sums['ClosedWaits'],
                'values_set' => $sums['Sets'],
                'changes' => $sums['Changes'],
                'rolled_back' => $sums['RolledBack'],
                'kills' => $sums['Kills'],
                'losses' => $sums['Losses'],
                'restarts' => $restarts ?? 0,
                'longest_lag_ms' => round($sums['LongestLag'] / 1e6, 1),
                'findings' => $findings,
            ],
            \sprintf('stale: %d of %d reads, %d changes', $sums['Stale'], $sums['Reads'], $sums['Changes']),
            $findings === [] && $sums['Stale'] === 0,
            array_filter($trials, $isPoor) === []
                && $sums['Reads'] >= self::READS * $seconds
                && $sums['Hits'] >= 0.2 * $sums['Reads']
                && $sums['Changes'] >= $seconds
                && $restarts !== 0
                && !\in_array(0, array_intersect_key($sums, array_flip($once)), true),
            'Too few reads, hits or changes to show anything, or something that a run must meet never happened.',
        );
    }

    private function try(Trial $trial, float $seconds, int $seed): void
    {
        $trial->store->start();
        foreach ([0, 1] as $host) {
            $trial->store->open($host)->clear();
        }
        $trial->database->make(self::ROWS, $trial->mode->isStrict);
        $trial->endAfter($seconds);
        $writers = self::READERS + self::WRITERS;
        $this->pool = new WorkerPool(static fn(int $number) => match (true) {
            $number < self::READERS => (new ValueReader($trial, $number))->work(),
            $number < $writers => (new ValueWriter($trial, $number))->work(),
            default => (new Evictor($trial, $number))->work(),
        }, $seed);
        $this->pool->fill($writers + ($trial->hazard === Hazard::Deaths ? 0 : 1));
        $pause = (int) (min(self::RESTART, $seconds / 3) * 1e9);
        $due = hrtime(true) + $pause;
        for ($failures = 0; $this->pool->numbers() !== []; usleep(2_000)) {
            $failures += $this->replaceEnded($trial, $this->pool, $failures < self::FAILURES);
            if ($trial->isOver(self::PATIENCE)) {
                $trial->findings->add($trial->mode->name . ': its processes do not end');
                $this->pool->killAll();
            } elseif ($trial->hazard !== Hazard::Deaths && hrtime(true) > $due && !$trial->isOver()) {
                $due = hrtime(true) + $pause;
                $this->restarts += $trial->store->restart(mt_rand(0, self::DOWN)) ? 1 : 0;
            }
        }
    }

    /** @return int processes that failed; one that killed itself has not */
    private function replaceEnded(Trial $trial, WorkerPool $pool, bool $replace): int
    {
        $failures = 0;
        foreach ($pool->reap() as $end) {
            if (!$end->finished && !$end->isKilled()) {
                ++$failures;
                $trial->findings->add("{$trial->mode->name}: process $end->number " . $end->reason());
            }
            if (!$trial->isOver() && $replace) {
                $pool->start($end->number);
            }
        }

        return $failures;
    }

    /** @return array<string, int> */
    private static function counts(Trial $trial): array
    {
        $counts = [];
        foreach (ValueCount::cases() as $count) {
            $isLongest = $count === ValueCount::LongestLag;
            $counts[$count->name] = $isLongest ? $trial->board->max($count) : $trial->board->sum($count);
        }

        return $counts;
    }

    private static function line(Trial $trial): string
    {
        $counts = self::counts($trial);
        $line = \sprintf(
            '%-15s %-6s %d stale of %d reads (%d %% hits), %d changes (%d rolled back), %d kills, %d losses',
            $trial->mode->name,
            $trial->hazard->value,
            $counts['Stale'],
            $counts['Reads'],
            intdiv(100 * $counts['Hits'], max(1, $counts['Reads'])),
            $counts['Changes'],
            $counts['RolledBack'],
            $counts['Kills'],
            $counts['Losses'],
        );

        return $trial->mode->lag > 0.0
            ? \sprintf('%s, at most %.1f ms old', $line, $counts['LongestLag'] / 1e6)
            : $line;
    }

    private function stop(): void
    {
        $this->pool?->killAll();
        $this->pool = null;
        $this->store?->stop();
        $this->store = null;
        $this->database?->stop();
        $this->database = null;
    }
}
