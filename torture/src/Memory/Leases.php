<?php

declare(strict_types=1);

namespace Larder\Torture\Memory;

use Larder\Testbed\Process\Findings;
use Closure;
use Larder\Outcome;
use Larder\SharedMemory;
use RuntimeException;

/**
 * Many processes want one key. Runs in a process that has the extension; they are its forks and share its segment.
 *
 * The value carries the number of its round. A round begins when the last one's value is gone, by a delete or by the end of its
 * ttl; it is over when every process has got this round's value. Each compute is one byte in a file, whatever came of it.
 */
final class Leases
{
    private const KEY = 'leased';

    /** Microseconds between two tries of a process that waits. */
    private const REST = 500;

    /** Microseconds that a compute takes at most. */
    private const WORK = 2000;

    /** Seconds of a lease: longer than any round, so that a second compute is nothing but wrong. */
    private const LEASE = 30.0;

    /** Seconds of a lease that nobody gives back. */
    private const SHORT = 0.3;

    private readonly SharedMemory $store;
    private readonly Findings $findings;
    private readonly string $computes;

    /** @param string $directory for what the processes note; exists */
    public function __construct(string $directory)
    {
        $this->store = new SharedMemory();
        $this->findings = new Findings($directory . '/wrong');
        $this->computes = $directory . '/computes';
    }

    /** @return list<string> what was wrong */
    public function wrong(): array
    {
        return $this->findings->all();
    }

    /**
     * @param positive-int $processes
     *
     * @return int how often the value was computed; right is $rounds
     */
    public function expire(int $processes, int $rounds, float $patience = 30.0): int
    {
        file_put_contents($this->computes, '');
        $board = self::board($processes);
        $gates = [self::gate(), self::gate()];
        $children = [];
        try {
            for ($seat = 0; $seat < $processes; ++$seat) {
                $children[] = $this->fork(fn() => $this->want($board, $seat, $rounds, $gates));
            }
            for ($round = 1; $round <= $rounds; ++$round) {
                fwrite($gates[$round % 2][0], str_repeat('.', $processes));
                if (!$this->allHave($board, $round, $patience)) {
                    $this->findings->add("round $round does not end");
                    break;
                }
                $this->end($round);
            }
        } finally {
            array_map(self::kill(...), $children);
        }

        return (int) filesize($this->computes);
    }

    /**
     * The holder of a lease is killed while it computes.
     *
     * @return float milliseconds from its death until another could win
     */
    public function killHolder(): float
    {
        $this->store->delete(self::KEY);
        $board = self::board(1);
        $holder = $this->fork(function () use ($board): never {
            $board->begin(0, $this->store->getOrLease(self::KEY, self::LEASE)->lease ?? -1);
            sleep(60);
            exit(1);
        });
        $lost = $this->await(static fn(): ?int => $board->begun(0) === 0 ? null : $board->begun(0), 5.0);
        $this->check($lost > 0, 'nobody holds a new key, yet it cannot be leased');
        $other = $this->store->getOrLease(self::KEY, self::LEASE);
        $this->check(!$other->hit && $other->lease === null, 'two processes hold one lease');
        self::kill($holder);
        $died = hrtime(true);
        $lease = $this->await(fn(): ?int => $this->store->getOrLease(self::KEY, self::LEASE)->lease, 5.0);
        $milliseconds = (hrtime(true) - $died) / 1e6;
        $this->check($lease > 0, 'a dead process keeps its lease');
        $this->check($this->store->set(self::KEY, 'late', null, $lost) === Outcome::Exists, 'a dead process\'s lease still stores');
        $this->check($this->store->set(self::KEY, 'right', null, $lease) === Outcome::Done, 'the lease after a dead one does not store');
        $this->check($this->store->get(self::KEY) === 'right', 'the value stored with a lease is not there');

        return $milliseconds;
    }

    /**
     * The holder lives, but is too slow.
     *
     * @return float milliseconds from the beginning of its lease until another could win
     */
    public function outliveLease(): float
    {
        $this->store->delete(self::KEY);
        $began = hrtime(true);
        $late = $this->store->getOrLease(self::KEY, self::SHORT)->lease;
        $this->check($late !== null, 'nobody holds a new key, yet it cannot be leased');
        $next = $this->await(fn(): ?int => $this->store->getOrLease(self::KEY, self::LEASE)->lease, 5.0);
        $milliseconds = (hrtime(true) - $began) / 1e6;
        $this->check($milliseconds >= 1000 * self::SHORT, \sprintf('a lease of %.0f ms ended after %.1f', 1000 * self::SHORT, $milliseconds));
        $this->check($this->store->set(self::KEY, 'late', null, $late) === Outcome::Exists, 'a lease that ran out still stores');
        $this->check($this->store->release(self::KEY, $late ?? 0) === false, 'a lease that ran out can be given back');
        $this->check($this->store->set(self::KEY, 'right', null, $next) === Outcome::Done, 'the lease after one that ran out does not store');

        return $milliseconds;
    }

    /** The store's own count of leases that somebody holds. */
    public function held(): int
    {
        $leases = $this->store->info()['leases'];

        return \is_int($leases) ? max(0, $leases) : 0;
    }

    /** @param array{array{resource, resource}, array{resource, resource}} $gates */
    private function want(Board $board, int $seat, int $rounds, array $gates): void
    {
        array_map(static fn(array $gate): bool => fclose($gate[0]), $gates);
        $parent = posix_getppid();
        for ($round = 1; $round <= $rounds && stream_socket_recvfrom($gates[$round % 2][1], 1) === '.'; ++$round) {
            while (!$this->has($round)) {
                usleep(self::REST);
                if (posix_getppid() !== $parent) {
                    return;
                }
            }
            $board->noteSeat($seat, Seat::Operations, $round);
        }
    }

    /** Whether this process has got the round's value; it computes it if it is the one to do so. */
    private function has(int $round): bool
    {
        $answer = $this->store->getOrLease(self::KEY, self::LEASE);
        if ($answer->hit) {
            $this->check($answer->value === ['round' => $round], "round $round: an outdated value");

            return true;
        }
        if ($answer->lease === null) {
            return false;
        }
        file_put_contents($this->computes, '.', FILE_APPEND);
        usleep(mt_rand(0, self::WORK));
        $outcome = $this->store->set(self::KEY, ['round' => $round], null, $answer->lease);
        $this->check($outcome === Outcome::Done, "round $round: the set with the lease was {$outcome->name}");

        return true;
    }

    private function end(int $round): void
    {
        if ($round % 2 === 0) {
            $this->check($this->store->delete(self::KEY) === Outcome::Done, "round $round: no value to delete");

            return;
        }
        $this->store->touch(self::KEY, 0.001);
        $gone = $this->await(fn(): ?int => $this->store->has(self::KEY) ? null : 1, 5.0);
        $this->check($gone === 1, "round $round: the value outlives its ttl");
    }

    private function allHave(Board $board, int $round, float $patience): bool
    {
        $seat = 0;

        return $this->await(static function () use ($board, $round, &$seat): ?int {
            while ($seat < $board->seats && $board->seat($seat, Seat::Operations) >= $round) {
                ++$seat;
            }

            return $seat === $board->seats ? 1 : null;
        }, $patience) === 1;
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
     * A byte for each process opens it. There are two, used in turn, so that nobody takes a second byte of one round.
     *
     * @return array{resource, resource}
     */
    private static function gate(): array
    {
        $gate = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);

        return $gate !== false ? [$gate[0], $gate[1]] : throw new RuntimeException('No pipe.');
    }

    /** Only forks see it, so that nobody has to remove it. */
    private static function board(int $processes): Board
    {
        $board = Board::make(1, $processes);
        $board->remove();

        return $board;
    }

    private function check(bool $right, string $otherwise): void
    {
        if (!$right) {
            $this->findings->add($otherwise);
        }
    }

    /** @param Closure(): mixed $do */
    private function fork(Closure $do): int
    {
        $child = pcntl_fork();
        if ($child === 0) {
            try {
                $do();
            } catch (\Throwable $failure) {
                $this->findings->add('a process failed: ' . $failure->getMessage());
            }
            posix_kill((int) getmypid(), SIGKILL);
        }

        return $child;
    }

    private static function kill(int $process): void
    {
        posix_kill($process, SIGKILL);
        pcntl_waitpid($process, $status);
    }
}
