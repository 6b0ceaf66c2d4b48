<?php

declare(strict_types=1);

namespace Larder\Torture\Lease;

use Larder\Testbed\Server\Scratch;
use Closure;
use Larder\Cache;
use Larder\Store;

/** Runs in a process that has the extension; the readers are its forks, and share its segment. */
final class LeaseTorture
{
    /** Microseconds between two looks. */
    private const LOOK = 2_000;

    /** Nanoseconds between two kills of just anybody. */
    private const KILL_AFTER = 2_000_000_000;

    /** Seconds after which nothing comes any more: several leases. */
    private const CALM = 12.0;

    /**
     * @param non-empty-list<string>  $stores of Shelves::NAMES
     * @param positive-int            $processes
     * @param Closure(string): void   $tell
     */
    public function __construct(
        private readonly array $stores,
        private readonly int $processes,
        private readonly int $seed,
        private readonly Flaw $flaw,
        private readonly Closure $tell,
    ) {}

    public function run(int $seconds): LeaseResult
    {
        $scratch = Scratch::in(sys_get_temp_dir(), 'larder-lease');
        $shelves = new Shelves($this->stores, $scratch->path);
        $keys = new Keys(\count($this->stores), $scratch->path);
        $board = Board::make($keys->count(), $this->processes);
        $diary = new Diary($scratch->path . '/diary');
        $nursery = new Nursery($this->seed, $diary, fn(int $seat, int $life) => (new Worker($shelves, $this->flaw, $board, new Diary($scratch->path . '/diary'), $keys, $seat, $life))->work());
        $this->stopOnSignals($nursery, $shelves, $scratch);
        mt_srand($this->seed);
        try {
            $shelves->start();
            $stores = array_map($shelves->open(...), $this->stores);
            $caches = array_map(static fn(Store $store): Cache => new Cache($store), $stores);
            array_map(self::load(...), $caches);
            $meddler = new Meddler($stores, $caches, $board, $diary, $keys, $nursery);
            $began = microtime(true);
            $nursery->fill($this->processes);
            $this->meddle($meddler, $nursery, $seconds);
            $board->enter(Stage::Calm);
            $wrong = $this->settle($meddler, $nursery) ? [] : ['a key has no value that stays, though nothing is ended any more'];
            $board->enter(Stage::Over);
            $nursery->end();
            $took = microtime(true) - $began;

            return new LeaseResult($this->tallies($diary), $wrong, $this->processes, $board->reads(), $board->longestWait(), $took);
        } finally {
            $nursery->killAll();
            $shelves->stop();
            $scratch->remove();
        }
    }

    /** So that no fork has to load the classes. */
    private static function load(Cache $cache): void
    {
        $cache->remember('first', static fn(): int => 1, 0.001);
        $cache->delete('first');
    }

    private function meddle(Meddler $meddler, Nursery $nursery, int $seconds): void
    {
        $end = microtime(true) + $seconds;
        $kill = hrtime(true) + self::KILL_AFTER;
        $tell = microtime(true) + 10.0;
        while (microtime(true) < $end) {
            $this->look($meddler, $nursery);
            if (hrtime(true) > $kill) {
                $meddler->kill($nursery->any());
                $kill = hrtime(true) + self::KILL_AFTER;
            }
            if (microtime(true) > $tell) {
                ($this->tell)(\sprintf('%d s to go', $end - $tell));
                $tell += 10.0;
            }
        }
    }

    private function settle(Meddler $meddler, Nursery $nursery): bool
    {
        $end = microtime(true) + self::CALM;
        $look = 0.0;
        while (microtime(true) < $end) {
            $end = $this->look($meddler, $nursery) ? microtime(true) + self::CALM : $end;
            if (microtime(true) > $look) {
                if ($meddler->isSettled()) {
                    return true;
                }
                $look = microtime(true) + 0.2;
            }
        }

        return false;
    }

    private function look(Meddler $meddler, Nursery $nursery): bool
    {
        $news = $meddler->look();
        $meddler->act();
        $nursery->reap();
        usleep(self::LOOK);

        return $news;
    }

    /** @return array<string, Tally> */
    private function tallies(Diary $diary): array
    {
        $judge = new Judge($diary->all());
        $tallies = [];
        foreach ($this->stores as $i => $store) {
            $tallies[$store] = $judge->of($i * Keys::EACH, Keys::EACH, Shelves::earliness($store));
        }

        return $tallies;
    }

    private function stopOnSignals(Nursery $nursery, Shelves $shelves, Scratch $scratch): void
    {
        pcntl_async_signals(true);
        foreach ([SIGINT, SIGTERM, SIGHUP] as $signal) {
            pcntl_signal($signal, static function (int $signal) use ($nursery, $shelves, $scratch): never {
                $nursery->killAll();
                $shelves->stop();
                $scratch->remove();
                exit(128 + $signal);
            });
        }
    }
}
