<?php

declare(strict_types=1);

namespace Larder\Proof\Memory;

use Closure;
use Larder\Outcome;
use Larder\Proof\About;
use Larder\Proof\Option;
use Larder\Proof\RequiredExtension;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\Proof\Torture;
use Larder\SharedMemory;
use Larder\Testbed\Process\Board;
use RuntimeException;

/**
 * Many processes want one key. They are forks of this process and share its segment.
 *
 * The value carries the number of its round. A round begins when the last round's value is gone, by a delete or by its
 * ttl. It is over when every process has got this round's value. Each compute is one byte in a file.
 */
final class LeasesTorture implements Torture
{
    private const KEY = 'leased';

    /** Holders of a lease that are killed, one after the other. */
    private const HOLDERS = 20;

    /** Microseconds between two tries of a process that waits. */
    private const REST = 500;

    /** Microseconds that a compute takes at most. */
    private const WORK = 2000;

    /** Seconds of a lease: longer than any round, so that a second compute is an error. */
    private const LEASE = 30.0;

    /** Seconds of a lease that is not given back. */
    private const SHORT = 0.3;

    /** Seconds that a round may take. */
    private const PATIENCE = 30.0;

    public function about(): About
    {
        return new About(
            'leases',
            'Lets many processes want one value that ends again and again, and counts who computes it',
            <<<'HELP'
            Example: <info>script/torture leases --processes=200 --expiries=1000</info>

            The first time the key is new. Then its value is deleted or expires, in turn. Each time exactly one process
            may compute it. After that, holders of a lease are killed, or are too slow: another process must win, and
            the old lease must store nothing. The exit code is 1 if anything else happened.
            HELP,
            [
                Option::number('processes', 'Processes that want the value', 2, 500, 200),
                Option::number('expiries', 'How often the value ends', 1, 1_000_000, 1000),
                Option::extension(),
            ],
            RequiredExtension::LoadedAlone,
        );
    }

    public function run(Run $run): Result
    {
        [$processes, $expiries] = [$run->number('processes'), $run->number('expiries')];
        $store = new SharedMemory();
        $began = microtime(true);
        $computes = $this->expire($run, $store, $run->directory(onDisk: true) . '/computes', $processes, $expiries);
        $slowest = 0.0;
        for ($i = 0; $i < self::HOLDERS; ++$i) {
            $slowest = max($slowest, $this->killHolder($run, $store));
        }
        $outlived = $this->outliveLease($run, $store);
        $leases = $store->info()['leases'];
        $held = \is_int($leases) ? max(0, $leases) : 0;
        $findings = $run->findings()->all();

        return new Result(
            [
                'computes' => $computes,
                'expiries' => $expiries,
                'processes' => $processes,
                'seconds' => round(microtime(true) - $began, 1),
                'killed_holders' => self::HOLDERS,
                'next_after_kill_ms' => round($slowest, 1),
                'next_after_300_ms_lease_ms' => round($outlived, 1),
                'leases_held_at_the_end' => $held,
                'findings' => $findings,
            ],
            \sprintf('computes: %d of %d expiries, %d processes', $computes, $expiries, $processes),
            $computes === $expiries && $findings === [] && $held === 0,
        );
    }

    /** @return int how often the value was computed */
    private function expire(Run $run, SharedMemory $store, string $file, int $processes, int $rounds): int
    {
        file_put_contents($file, '');
        $board = Board::create(['round' => $processes]);
        $gates = [self::gate(), self::gate()];
        $work = fn(int $number) => $this->want($run, $store, $file, $board, $number, $rounds, $gates);
        $pool = $run->pool($work);
        $pool->fill($processes);
        for ($round = 1; $round <= $rounds; ++$round) {
            fwrite($gates[$round % 2][0], str_repeat('.', $processes));
            if (!$this->allHave($board, $round)) {
                $run->findings()->add("round $round does not end");
                break;
            }
            $this->end($run, $store, $round);
        }
        foreach ($pool->killAll() as $end) {
            $run->check($end->error === null, 'a process ' . $end->reason());
        }

        return (int) filesize($file);
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
        SharedMemory $store,
        string $file,
        Board $board,
        int $number,
        int $rounds,
        array $gates,
    ): void {
        array_map(static fn(array $gate): bool => fclose($gate[0]), $gates);
        $parent = posix_getppid();
        for ($round = 1; $round <= $rounds && stream_socket_recvfrom($gates[$round % 2][1], 1) === '.'; ++$round) {
            while (!$this->has($run, $store, $file, $round)) {
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
    private function has(Run $run, SharedMemory $store, string $file, int $round): bool
    {
        $answer = $store->getOrLease(self::KEY, self::LEASE);
        if ($answer->hit) {
            $run->check($answer->value === ['round' => $round], "round $round: an outdated value");

            return true;
        }
        if ($answer->lease === null) {
            return false;
        }
        file_put_contents($file, '.', FILE_APPEND);
        usleep(mt_rand(0, self::WORK));
        $outcome = $store->set(self::KEY, ['round' => $round], null, $answer->lease);
        $run->check($outcome === Outcome::Done, "round $round: the set with the lease was $outcome->name");

        return true;
    }

    /** Ends the round's value by a delete or by its ttl. */
    private function end(Run $run, SharedMemory $store, int $round): void
    {
        if ($round % 2 === 0) {
            $run->check($store->delete(self::KEY) === Outcome::Done, "round $round: no value to delete");

            return;
        }
        $store->touch(self::KEY, 0.001);
        $gone = $this->await(static fn(): ?int => $store->has(self::KEY) ? null : 1, 5.0);
        $run->check($gone === 1, "round $round: the value outlives its ttl");
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
