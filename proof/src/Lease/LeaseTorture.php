<?php

declare(strict_types=1);

namespace Larder\Proof\Lease;

use Closure;
use Larder\Cache;
use Larder\Proof\About;
use Larder\Proof\MissingGuard;
use Larder\Proof\Option;
use Larder\Proof\RequiredExtension;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\Proof\StoreUnderTest;
use Larder\Proof\Torture;
use Larder\Store;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\WorkerPool;
use RuntimeException;

/** Runs in a process that has the extension. The readers are its forks and share its segment. */
final class LeaseTorture implements Torture
{
    /** Microseconds between two looks at the log. */
    private const LOOK = 2_000;

    /** Nanoseconds between two kills of any process. */
    private const KILL_AFTER = 2_000_000_000;

    /** Seconds between two restarts of a server, one store after the other; each has one at least. */
    private const RESTART_AFTER = 10.0;

    /** As many readers must once have waited for a value when the process was killed that made it, or a part of all. */
    private const WAITING = 40;
    private const WAITING_PART = 5;

    /** Seconds between two looks at whether the lack of a guard was found. */
    private const JUDGE = 0.5;

    /** Seconds without a new entry after which none comes any more: several leases. */
    private const CALM = 12.0;

    /** A run that was too poor goes on until it has this many times its seconds. */
    private const LONGEST = 4;

    /** Seconds that the processes may take to end. */
    private const PATIENCE = 20.0;

    /** Processes that may end by themselves before the run gives up. */
    private const ENDED = 20;

    /** Milliseconds of a call. On a busy machine a shorter one would end early, a miss without a cause. */
    private const TIMEOUT = 20_000;

    /** Findings that are printed. */
    private const SHOWN = 30;

    /** A store must meet this many expiries a second, and each of the other endings once. */
    private const RATE = 1000 / 300;
    private const NEEDED = [Cause::Eviction, Cause::Delete, Cause::Kill, Cause::Slow];
    private const NEEDED_OF_SERVERS = [Cause::Restart, Cause::Outage];

    /** The part of the computes that a store may refuse. */
    private const REFUSED = 0.01;

    private int $ended = 0;

    public function about(): About
    {
        return new About(
            'lease',
            'Lets many processes ask a cache for values that end in every way, kills who makes them, and counts '
                . 'who does',
            <<<'HELP'
            Example: <info>script/torture lease --seconds=300 --stores=memory:memcached:redis</info>

            All processes read a few keys of each store by Cache::remember(). Values expire, are deleted, also while
            they are made, and are taken out of the store without the cache. Processes that make one are killed, or take
            longer than their lease. Servers are killed and started again, empty; until a process has found one back, a
            lease of the host stands in, under which one makes a value at a time. Every compute must have one such
            cause, noted by the processes themselves in a file, that lies before it. A reader must never get a value
            that is older than one stored before it asked (lost), or that was deleted before it asked (resurrected), or
            wait longer than its bound. The exit code is 1 if anything else happened, and 2 if the run was too poor to
            show anything. A run that is poor after its seconds goes on, until it has had four times as many.
            HELP,
            [
                Option::seconds(2),
                Option::number('processes', 'Readers at once', 2, 500, 200),
                Option::several('stores', 'Stores to use', StoreUnderTest::KINDS),
                Option::seed(),
                Option::guard(
                    'without',
                    'Take a guard away, to see that it is missed: lease (everybody gets one) or'
                    . ' fence (a lost one stores)',
                    MissingGuard::Lease,
                    MissingGuard::Fence,
                ),
                Option::extension(),
            ],
            RequiredExtension::Loaded,
        );
    }

    public function run(Run $run): Result
    {
        $kinds = $run->words('stores');
        $processes = $run->number('processes');
        $missing = MissingGuard::from($run->text('without'));
        $directory = $run->directory(onDisk: true);
        $keys = new LeaseKeys(\count($kinds), $directory);
        $board = self::board($keys->count(), $processes);
        $log = new EventLog($directory . '/log');
        mt_srand($run->seed());
        $stores = array_map(static function (string $kind) use ($run, $directory): StoreUnderTest {
            // A server gives its directory to its own user.
            mkdir("$directory/$kind");
            $store = new StoreUnderTest($kind, "$directory/$kind", 'lease', self::TIMEOUT);
            $run->atEnd($store->stop(...));
            $store->start();

            return $store;
        }, $kinds);
        $pool = $run->pool(static function (int $number, int $life) use (
            $stores,
            $missing,
            $board,
            $directory,
            $keys,
        ): void {
            $log = new EventLog($directory . '/log');
            (new LeaseWorker($stores, $missing, $board, $log, $keys, $number, $life))->work();
        }, $run->seed());
        $opened = array_map(static fn(StoreUnderTest $store): Store => $store->open(), $stores);
        $caches = array_map(static fn(Store $store): Cache => new Cache($store), $opened);
        array_map(self::load(...), $caches);
        $disruptor = new Disruptor($opened, $caches, $board, $log, $keys, $pool);
        $began = microtime(true);
        $pool->fill($processes);
        $servers = array_diff_key($stores, array_flip(array_keys($kinds, 'memory', true)));
        $isMissed = static fn(): bool => $missing !== MissingGuard::None && array_filter(
            self::tallies($kinds, $log),
            static fn(StoreTally $tally): bool => $tally->wrong !== [],
        ) !== [];
        $isPoor = static fn(): bool => self::shortages(self::tallies($kinds, $log), $board, $run->seconds()) !== [];
        $this->disrupt($disruptor, $pool, $log, $run, $servers, $isPoor, $isMissed);
        // What lacks a guard need not come to rest, and may never do so.
        $isFound = $isMissed();
        $board->set('phase', Phase::Calm->value);
        $wrong = $isFound || $this->settle($disruptor, $pool, $log)
            ? []
            : ['a key has no value that stays, though nothing is ended any more'];
        $board->set('phase', Phase::Over->value);
        $pool->end($isFound ? 0.0 : self::PATIENCE);
        $took = microtime(true) - $began;

        return self::result(self::tallies($kinds, $log), $wrong, $board, $took, $run->seconds());
    }

    /** Numbers of the run, of each key and of each process. */
    public static function board(int $keys, int $processes): Board
    {
        $perKey = array_fill_keys(['begun', 'stored', 'deleted', 'heldUp'], $keys);

        $perProcess = array_fill_keys(['reads', 'longestWait', 'reading'], $processes);

        return Board::create(['phase' => 1, ...$perKey, ...$perProcess, 'mostWaiting' => 1]);
    }

    /**
     * @param array<string, StoreTally> $tallies by store
     * @param list<string>              $wrong   beside what is wrong with one store
     * @param float                     $took    seconds
     */
    public static function result(array $tallies, array $wrong, Board $board, float $took, float $seconds): Result
    {
        $wait = $board->max('longestWait') / 1e9;
        $figures = [
            'processes' => $board->count('reads'),
            'seconds' => round($took, 1),
            'reads' => $board->sum('reads'),
            'longest_wait_seconds' => round($wait, 3),
            'wait_bound_seconds' => LeaseWorker::WAIT,
            'lease_seconds' => LeaseWorker::LEASE,
            'most_waiting_after_a_kill' => $board->get('mostWaiting'),
        ];
        foreach ($tallies as $store => $tally) {
            $figures[$store . '_computes'] = $tally->computes;
            foreach (Cause::cases() as $cause) {
                $figures[$store . '_' . $cause->value] = $tally->of($cause);
            }
            $wrong = [...$wrong, ...array_map(static fn(string $entry): string => "$store: $entry", $tally->wrong)];
        }
        $shortages = self::shortages($tallies, $board, $seconds);
        $line = \sprintf(
            'computes: %d of %d expected, lost: %d, resurrected: %d',
            array_sum(array_map(static fn(StoreTally $tally): int => $tally->computes, $tallies)),
            array_sum(array_map(static fn(StoreTally $tally): int => $tally->expected(), $tallies)),
            array_sum(array_map(static fn(StoreTally $tally): int => $tally->lost, $tallies)),
            array_sum(array_map(static fn(StoreTally $tally): int => $tally->resurrected, $tallies)),
        );

        return new Result(
            $figures + ['wrong' => \count($wrong), 'findings' => \array_slice($wrong, 0, self::SHOWN)],
            $line,
            $wrong === [] && $wait <= LeaseWorker::WAIT,
            $shortages === [],
            'Too little happened to show anything: ' . implode('; ', $shortages) . '.',
        );
    }

    /**
     * @param array<string, StoreTally> $tallies by store
     *
     * @return list<string> what there was too little of to show anything, and what a store refused too often
     */
    private static function shortages(array $tallies, Board $board, float $seconds): array
    {
        $shortages = [];
        foreach ($tallies as $store => $tally) {
            $expiries = $tally->of(Cause::Expiry);
            if ($expiries < self::RATE * $seconds) {
                $shortages[] = \sprintf('%s: %d of %.0f expiries', $store, $expiries, ceil(self::RATE * $seconds));
            }
            if ($tally->of(Cause::Refusal) > self::REFUSED * $tally->computes) {
                $shortages[] = "$store: more than one value in a hundred was refused";
            }
            foreach ([...self::NEEDED, ...($store === 'memory' ? [] : self::NEEDED_OF_SERVERS)] as $cause) {
                if ($tally->of($cause) === 0) {
                    $shortages[] = "$store: no " . strtr($cause->value, '_', ' ');
                }
            }
        }
        $hasServer = array_diff_key($tallies, ['memory' => true]) !== [];
        $waiting = min(self::WAITING, intdiv($board->count('reads'), self::WAITING_PART));
        if ($hasServer && $board->get('mostWaiting') < $waiting) {
            $shortages[] = \sprintf('%d of %d readers that wait at once', $board->get('mostWaiting'), $waiting);
        }

        return $shortages;
    }

    /** Loads the classes before the forks, so that no fork has to. */
    private static function load(Cache $cache): void
    {
        $cache->remember('first', static fn(): int => 1, 0.001);
        $cache->delete('first');
    }

    /**
     * @param array<int, StoreUnderTest> $servers by the number of the store
     * @param Closure(): bool            $isPoor  whether the run has not yet met enough
     * @param Closure(): bool            $isMissed whether it was found that a guard is missing
     */
    private function disrupt(
        Disruptor $disruptor,
        WorkerPool $pool,
        EventLog $log,
        Run $run,
        array $servers,
        Closure $isPoor,
        Closure $isMissed,
    ): void {
        $end = microtime(true) + $run->seconds();
        $latest = $end + (self::LONGEST - 1) * $run->seconds();
        $kill = hrtime(true) + self::KILL_AFTER;
        $tell = microtime(true) + 10.0;
        $judge = microtime(true) + self::JUDGE;
        $pause = min(self::RESTART_AFTER, $run->seconds() / (\count($servers) + 1));
        $restart = microtime(true) + $pause;
        $next = 0;
        while (true) {
            if (microtime(true) >= $end) {
                if ($end >= $latest || !$isPoor()) {
                    return;
                }
                $end = min($latest, $end + $run->seconds() / 4);
                $pause = self::RESTART_AFTER;
            }
            $this->look($disruptor, $pool, $log);
            if (microtime(true) > $judge) {
                if ($isMissed()) {
                    return;
                }
                $judge = microtime(true) + self::JUDGE;
            }
            if (hrtime(true) > $kill) {
                $disruptor->killAny();
                $kill = hrtime(true) + self::KILL_AFTER;
            }
            if ($servers !== [] && microtime(true) > $restart) {
                $store = array_keys($servers)[$next++ % \count($servers)];
                $disruptor->restart($servers[$store], $store);
                $restart = microtime(true) + $pause;
            }
            if (microtime(true) > $tell) {
                $run->tell(\sprintf('%d s to go', max(0.0, $end - $tell)));
                $tell += 10.0;
            }
        }
    }

    private function settle(Disruptor $disruptor, WorkerPool $pool, EventLog $log): bool
    {
        $end = microtime(true) + self::CALM;
        $look = 0.0;
        while (microtime(true) < $end) {
            $end = $this->look($disruptor, $pool, $log) ? microtime(true) + self::CALM : $end;
            if (microtime(true) > $look) {
                if ($disruptor->isSettled()) {
                    return true;
                }
                $look = microtime(true) + 0.2;
            }
        }

        return false;
    }

    /** @return bool whether the log has new entries */
    private function look(Disruptor $disruptor, WorkerPool $pool, EventLog $log): bool
    {
        $news = $disruptor->look();
        $disruptor->act();
        foreach ($pool->reap() as $end) {
            $log->note(EventKind::Wrong, life: $end->life, word: 'a process ' . $end->reason());
            if (++$this->ended > self::ENDED) {
                throw new RuntimeException('Processes end by themselves. The last one ' . $end->reason());
            }
            $pool->start($end->number);
        }
        usleep(self::LOOK);

        return $news;
    }

    /**
     * @param list<string> $kinds
     *
     * @return array<string, StoreTally>
     */
    private static function tallies(array $kinds, EventLog $log): array
    {
        $judge = new LeaseJudge($log->all());
        $tallies = [];
        foreach ($kinds as $i => $kind) {
            $earliness = StoreUnderTest::earliness($kind);
            $tallies[$kind] = $judge->of($i * LeaseKeys::EACH, LeaseKeys::EACH, $earliness);
        }

        return $tallies;
    }
}
