<?php

declare(strict_types=1);

namespace Larder\Proof\Memory;

use Closure;
use Larder\Cache;
use Larder\Cache\Settings;
use Larder\Outcome;
use Larder\Proof\About;
use Larder\Proof\MissingGuard;
use Larder\Proof\Option;
use Larder\Proof\RequiredExtension;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\Proof\StoreUnderTest;
use Larder\Proof\Torture;
use Larder\Proof\UnguardedStore;
use Larder\SharedMemory;
use Larder\Testbed\Process\Board;
use RuntimeException;

/**
 * Many processes want one key. They are forks of this process and share its segment.
 *
 * The value carries the number of its round. A round begins at a gate before which all processes stand, when the last
 * round's value was deleted, is gone by its ttl, or is in grace. It is over when every process has got this round's
 * value. Each compute is one byte in a file.
 */
final class LeasesTorture implements Torture
{
    private const KEY = 'leased';

    /** Holders of a lease that are killed, one after the other. */
    private const HOLDERS = 20;

    /** Microseconds between two tries of a process that waits. */
    private const REST = 500;

    /** Seconds of a lease: longer than any round, so that a second compute is an error. */
    private const LEASE = 30.0;

    /** Seconds of a lease that is not given back. */
    private const SHORT = 0.3;

    /** Seconds that a round may take. */
    private const PATIENCE = 30.0;

    /** Milliseconds of a call. On a busy machine a shorter one would end early, a miss without a cause. */
    private const TIMEOUT = 20_000;

    /** Rounds with this rest by three begin with a value in grace. */
    private const IN_GRACE = 0;

    /** Seconds of a ttl that ends before anybody asks. */
    private const AT_ONCE = 0.001;

    private const STORES = ['memory', 'memcached', ...StoreUnderTest::SAVED, 'tiers'];

    public function about(): About
    {
        return new About(
            'leases',
            'Lets many processes want one value that ends again and again, and counts who computes it',
            <<<'HELP'
            Example: <info>script/torture leases --processes=200 --expiries=1000 --stores=memory</info>

            The first time the key is new. Then its value is deleted, expires, or is in grace, in turn. Each time all
            processes ask at once, by Cache::remember(), and exactly one may compute it. In shared memory, holders of a
            lease are killed after that, or are too slow: another process must win, and the old lease must store
            nothing. The exit code is 1 if anything else happened.
            HELP,
            [
                Option::number('processes', 'Processes that want the value', 2, 500, 200),
                Option::number('expiries', 'How often the value ends, in each store', 1, 1_000_000, 1000),
                Option::number('work', 'Milliseconds that a compute takes at most', 0, 1000, 2),
                Option::several('stores', 'Stores to use', self::STORES),
                Option::guard(
                    'without',
                    'Take a guard away, to see that it is missed: lease (everybody gets one)',
                    MissingGuard::Lease,
                ),
                Option::extension(),
            ],
            RequiredExtension::Loaded,
        );
    }

    public function run(Run $run): Result
    {
        $stores = $run->words('stores');
        $expiries = $run->number('expiries');
        $began = microtime(true);
        $computes = [];
        foreach ($stores as $store) {
            $computes[$store] = $this->expire($run, $store);
        }
        $held = \in_array('memory', $stores, true) ? $this->endLeases($run) : [];
        $findings = $run->findings()->all();
        $all = array_sum(array_column($computes, 0));
        $expected = $expiries * \count($stores);

        return new Result(
            [
                'computes' => $all,
                'expiries' => $expected,
                'processes' => $run->number('processes'),
                'seconds' => round(microtime(true) - $began, 1),
                'of_stores' => array_map(
                    static fn(string $store, array $its): string
                        => \sprintf('%s: %d computes, at most %d at one end', $store, ...$its),
                    array_keys($computes),
                    $computes,
                ),
                ...$held,
                'findings' => $findings,
            ],
            \sprintf('computes: %d of %d expiries, %d processes', $all, $expected, $run->number('processes')),
            $all === $expected && $findings === [] && ($held['leases_held_at_the_end'] ?? 0) === 0,
        );
    }

    /** @return array{int, int} how often the value was computed: in all rounds, and in one of them at most */
    private function expire(Run $run, string $kind): array
    {
        $directory = $run->directory(onDisk: true) . '/' . $kind;
        mkdir($directory);
        $file = $directory . '/computes';
        file_put_contents($file, '');
        $tested = new StoreUnderTest($kind, $directory, 'leases', self::TIMEOUT);
        $run->atEnd($tested->stop(...));
        $tested->start();
        $cache = self::cache($run, $tested);
        [$processes, $rounds, $work] = array_map($run->number(...), ['processes', 'expiries', 'work']);
        $board = Board::create(['round' => $processes]);
        $gates = [self::gate(), self::gate()];
        $pool = $run->pool(fn(int $number) => $this->want($run, $tested, $file, $board, $number, $gates));
        $pool->fill($processes);
        $most = $before = 0;
        for ($round = 1; $round <= $rounds; ++$round) {
            fwrite($gates[$round % 2][0], str_repeat('.', $processes));
            if (!$this->allHave($board, $round)) {
                $run->findings()->add("$kind: round $round does not end");
                break;
            }
            clearstatcache();
            $computes = (int) filesize($file);
            $run->check($computes === $before + 1, "$kind: round $round: computes: " . ($computes - $before));
            [$most, $before] = [max($most, $computes - $before), $computes];
            $this->end($run, $cache, $round, $kind);
        }
        foreach ($pool->killAll() as $end) {
            $run->check($end->error === null, "$kind: a process " . $end->reason());
        }
        $tested->stop();
        $run->tell(\sprintf('%s: %d computes in %d rounds, at most %d in one', $kind, $before, $rounds, $most));

        return [$before, $most];
    }

    private static function cache(Run $run, StoreUnderTest $tested): Cache
    {
        $missing = MissingGuard::from($run->text('without'));
        $store = $missing === MissingGuard::None
            ? $tested->open()
            : new UnguardedStore($tested->open(), $missing);

        return new Cache($store, settings: new Settings(lease: self::LEASE, early: 0.0));
    }

    /** @return array<string, int|float> figures of the holders of leases in shared memory that do not end well */
    private function endLeases(Run $run): array
    {
        $store = new SharedMemory();
        $slowest = 0.0;
        for ($i = 0; $i < self::HOLDERS; ++$i) {
            $slowest = max($slowest, $this->killHolder($run, $store));
        }
        $outlived = $this->outliveLease($run, $store);
        $leases = $store->info()['leases'];

        return [
            'killed_holders' => self::HOLDERS,
            'next_after_kill_ms' => round($slowest, 1),
            'next_after_300_ms_lease_ms' => round($outlived, 1),
            'leases_held_at_the_end' => \is_int($leases) ? max(0, $leases) : 0,
        ];
    }

    /**
     * The holder of a lease is killed while it computes.
     *
     * @return float milliseconds from its death until another process could win
     */
    private function killHolder(Run $run, SharedMemory $store): float
    {
        $store->delete(self::KEY);
        $board = Board::create(['lease' => 1]);
        $pool = $run->pool(static function () use ($store, $board): void {
            $board->set('lease', $store->getOrLease(self::KEY, self::LEASE)->lease ?? -1);
            sleep(60);
        });
        $pool->fill(1);
        $lost = $this->await(static fn(): ?int => $board->get('lease') === 0 ? null : $board->get('lease'), 5.0);
        $run->check($lost > 0, 'nobody holds a new key, yet it cannot be leased');
        $other = $store->getOrLease(self::KEY, self::LEASE);
        $run->check(!$other->hit && $other->lease === null, 'two processes hold one lease');
        $pool->killAll();
        $died = hrtime(true);
        $lease = $this->await(static fn(): ?int => $store->getOrLease(self::KEY, self::LEASE)->lease, 5.0);
        $milliseconds = (hrtime(true) - $died) / 1e6;
        $run->check($lease > 0, 'a dead process keeps its lease');
        $late = $store->set(self::KEY, 'late', null, $lost);
        $run->check($late === Outcome::Exists, 'the lease of a dead process still stores');
        $next = $store->set(self::KEY, 'right', null, $lease);
        $run->check($next === Outcome::Done, 'the lease after a dead one does not store');
        $run->check($store->get(self::KEY) === 'right', 'the value stored with a lease is not there');

        return $milliseconds;
    }

    /**
     * The holder lives, but is too slow.
     *
     * @return float milliseconds from the beginning of its lease until another process could win
     */
    private function outliveLease(Run $run, SharedMemory $store): float
    {
        $store->delete(self::KEY);
        $began = hrtime(true);
        $late = $store->getOrLease(self::KEY, self::SHORT)->lease;
        $run->check($late !== null, 'nobody holds a new key, yet it cannot be leased');
        $next = $this->await(static fn(): ?int => $store->getOrLease(self::KEY, self::LEASE)->lease, 5.0);
        $milliseconds = (hrtime(true) - $began) / 1e6;
        $isEarly = $milliseconds < 1000 * self::SHORT;
        $run->check(!$isEarly, \sprintf('a lease of 300 ms ended after %.1f', $milliseconds));
        $stored = $store->set(self::KEY, 'late', null, $late);
        $run->check($stored === Outcome::Exists, 'a lease that ended still stores');
        $run->check(!$store->release(self::KEY, $late ?? 0), 'a lease that ended can be given back');
        $stored = $store->set(self::KEY, 'right', null, $next);
        $run->check($stored === Outcome::Done, 'the lease after one that ended does not store');

        return $milliseconds;
    }

    /** @param array{array{resource, resource}, array{resource, resource}} $gates */
    private function want(
        Run $run,
        StoreUnderTest $tested,
        string $file,
        Board $board,
        int $number,
        array $gates,
    ): void {
        array_map(static fn(array $gate): bool => fclose($gate[0]), $gates);
        $parent = posix_getppid();
        $cache = self::cache($run, $tested);
        $rounds = $run->number('expiries');
        for ($round = 1; $round <= $rounds && stream_socket_recvfrom($gates[$round % 2][1], 1) === '.'; ++$round) {
            while (!$this->has($run, $cache, $file, $round)) {
                usleep(self::REST);
                if (posix_getppid() !== $parent) {
                    return;
                }
            }
            $board->set('round', $round, $number);
        }
        // It stays until it is killed.
        sleep(60);
    }

    /** Whether this process has got the round's value. The process that wins the lease computes it. */
    private function has(Run $run, Cache $cache, string $file, int $round): bool
    {
        $work = 1000 * $run->number('work');
        $value = $cache->remember(self::KEY, static function () use ($file, $round, $work): array {
            file_put_contents($file, '.', FILE_APPEND);
            usleep(mt_rand(intdiv($work, 2), $work));

            return ['round' => $round];
        });
        $mayBeOld = $round % 3 === self::IN_GRACE && $value === ['round' => $round - 1];
        $run->check($mayBeOld || $value === ['round' => $round], "round $round: an outdated value");

        return !$mayBeOld;
    }

    /** Ends the round's value, as the next round has it. */
    private function end(Run $run, Cache $cache, int $round, string $kind): void
    {
        $value = ['round' => $round];
        if (($round + 1) % 3 === self::IN_GRACE) {
            $cache->set(self::KEY, $value, self::AT_ONCE, self::LEASE);
            usleep((int) (2 * self::AT_ONCE * 1e6));
        } elseif ($round % 2 === 0) {
            $run->check($cache->delete(self::KEY), "$kind: round $round: no value to delete");
        } else {
            $cache->set(self::KEY, $value, self::AT_ONCE);
            $gone = $this->await(static fn(): ?int => $cache->get(self::KEY) === null ? 1 : null, 5.0);
            $run->check($gone === 1, "$kind: round $round: the value outlives its ttl");
        }
    }

    private function allHave(Board $board, int $round): bool
    {
        $number = 0;

        return $this->await(static function () use ($board, $round, &$number): ?int {
            while ($number < $board->count('round') && $board->get('round', $number) >= $round) {
                ++$number;
            }

            return $number === $board->count('round') ? 1 : null;
        }, self::PATIENCE) === 1;
    }

    /** @param Closure(): (int|null) $of */
    private function await(Closure $of, float $seconds): ?int
    {
        $deadline = microtime(true) + $seconds;
        $number = $of();
        while ($number === null && microtime(true) < $deadline) {
            usleep(self::REST);
            $number = $of();
        }

        return $number;
    }

    /**
     * A byte for each process opens it. There are two, used in turn, so that no process takes a second byte of one
     * round.
     *
     * @return array{resource, resource}
     */
    private static function gate(): array
    {
        $gate = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);

        return $gate !== false ? [$gate[0], $gate[1]] : throw new RuntimeException('No pair of sockets can be had.');
    }
}
