<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Closure;
use Generator;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Result\Window;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Workload\Job;
use Larder\Testbed\Http\NonBlockingConnection;
use Larder\Testbed\Load\Target;
use Larder\Testbed\Server\Cpu;
use SplQueue;

/**
 * Requests that start when they are due, however slow the earlier ones are, as those of independent visitors do.
 *
 * The latency of a request counts from when it was due. If a server stands still for a second, that second shows in
 * each request that was due in it, and not only in the few that were under way. When all connections are busy, requests
 * wait, and the wait counts too. A request without a reply within the time-out is an error. So is one that waited for
 * half of the time-out without a connection: nobody would be left to read its reply. At most the rate times half the
 * time-out can wait.
 *
 * One process of PHP offers about 10,000 requests a second. lag() tells whether it kept up.
 */
final class OpenLoop
{
    /** Nanoseconds between two searches for requests that have timed out. */
    private const LOOK = 5_000_000;

    /** More requests than can wait at any rate that one process offers. */
    private const LONGEST_QUEUE = 200_000;

    /** The watched stage is counted in this many equal parts. */
    private const SLICES = 8;

    /** @var SplQueue<int> when the requests that wait for a connection were due */
    private SplQueue $waiting;

    /** @var array<int, NonBlockingConnection> with a request on them */
    private array $busy = [];

    /** @var list<NonBlockingConnection> */
    private array $idle = [];
    private readonly string $address;
    private readonly string $request;
    private readonly Histogram $lag;

    /** @var Closure(int, int, string|null): void */
    private Closure $sink;

    /**
     * @param int   $connections at most at once
     * @param float $timeout     seconds that a request may take from the moment when it was due
     */
    public function __construct(
        private readonly Target $target,
        private readonly int $connections,
        private readonly float $timeout = 2.0,
    ) {
        if ($connections < 1 || $connections > 1000) {
            throw new Failed(\sprintf('connections must be 1 to 1000, not %d', $connections));
        }
        $parts = parse_url($target->url);
        if ($parts === false || ($parts['scheme'] ?? '') !== 'http' || !isset($parts['host'])) {
            throw new Failed(\sprintf('%s is no address of a page', $target->url));
        }
        $this->address = $parts['host'] . ':' . ($parts['port'] ?? 80);
        $uri = ($parts['path'] ?? '/') . (isset($parts['query']) ? '?' . $parts['query'] : '');
        $this->request = \sprintf("GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", $uri, $this->address);
        $this->waiting = new SplQueue();
        $this->lag = new Histogram();
    }

    /**
     * @param Generator<int, int>                  $times     when requests are due, in nanoseconds from the beginning
     * @param Closure(int, int, string|null): void $sink      gets of each request when it was due, when it ended and
     *                                                        its error
     * @param Closure(int): void                   $meanwhile gets the nanoseconds since the beginning, a few hundred
     *                                                        times a second
     *
     * @throws WrongReply at the first reply with status 200 that is not the page
     */
    public function run(Generator $times, Closure $sink, Closure $meanwhile): void
    {
        $begin = hrtime(true);
        $this->sink = static fn(int $due, int $end, ?string $error) => $sink($due - $begin, $end - $begin, $error);
        $looked = 0;
        try {
            do {
                $now = hrtime(true);
                $next = $this->admit($times, $begin, $now);
                $this->dispatch();
                if ($now - $looked > self::LOOK) {
                    $this->giveUp($now);
                    $meanwhile($now - $begin);
                    $looked = $now;
                }
                $this->wait($next);
            } while ($next !== null || $this->busy !== [] || !$this->waiting->isEmpty());
        } finally {
            foreach ([...$this->busy, ...$this->idle] as $connection) {
                $connection->close();
            }
            $this->busy = $this->idle = [];
        }
    }

    /**
     * Runs some stages one after the other. Each counts the requests that were due in it.
     *
     * @param non-empty-list<Stage>                     $stages
     * @param int                                       $watched  number of the stage that the window is of, from 0
     * @param bool                                      $constant see Stage::times()
     * @param Closure(int, int, string|null): void|null $sink     see run()
     *
     * @return Window the watched stage without its first and last tenth
     */
    public function window(Job $job, array $stages, int $watched, bool $constant, ?Closure $sink = null): Window
    {
        $lengths = array_map(static fn(Stage $stage): float => $stage->seconds * 1e9, $stages);
        $first = array_sum(\array_slice($lengths, 0, $watched)) + $lengths[$watched] / 10;
        $last = $first + $lengths[$watched] * 0.8;
        $marks = [];
        $errors = 0;
        $slices = array_fill(0, self::SLICES, 0);
        $this->run(
            Stage::times($stages, $constant, $job->seed),
            static function (int $due, int $end, ?string $error) use (
                $stages,
                $first,
                $last,
                $sink,
                &$errors,
                &$slices,
            ): void {
                Stage::at($stages, $due)->count($due, $end, $error);
                if ($end >= $first && $end < $last) {
                    if ($error === null) {
                        ++$slices[min(self::SLICES - 1, (int) (($end - $first) / ($last - $first) * self::SLICES))];
                    } else {
                        ++$errors;
                    }
                }
                if ($sink !== null) {
                    $sink($due, $end, $error);
                }
            },
            function (int $now) use ($first, $last, &$marks): void {
                if (\count($marks) < 2 && $now >= ($marks === [] ? $first : $last)) {
                    $marks[] = [$now, Cpu::own(), Cpu::of($this->target->servers), Cpu::of($this->target->clients)];
                }
            },
        );
        // The marks are set a little late. The share of the window is what counts.
        $cpu = static fn(int $of): float => \count($marks) < 2
            ? 0.0
            : ($marks[1][$of] - $marks[0][$of]) * ($last - $first) / ($marks[1][0] - $marks[0][0]);
        $right = array_sum($slices);

        return new Window(
            $job->block,
            0,
            ($last - $first) / 1e9,
            $right,
            $errors,
            $right * \strlen($this->target->body),
            $cpu($this->target->clients === [] ? 1 : 3),
            $cpu(2),
            [$right],
            array_values($slices),
            true,
            $stages[$watched]->rate,
        );
    }

    /** @return float microseconds by which this process itself was late for one request in a hundred */
    public function lag(): float
    {
        return ($this->lag->percentile(0.99) ?? 0.0) / 1e3;
    }

    /**
     * @param Generator<int, int> $times
     *
     * @return int|null when the next request is due; null: there is none
     */
    private function admit(Generator $times, int $begin, int $now): ?int
    {
        while ($times->valid()) {
            $due = $begin + $times->current();
            if ($due > $now) {
                return $due;
            }
            $this->lag->record($now - $due);
            if ($this->waiting->count() < self::LONGEST_QUEUE) {
                $this->waiting->enqueue($due);
            } else {
                ($this->sink)($due, $now, 'too many were waiting');
            }
            $times->next();
        }

        return null;
    }

    private function dispatch(): void
    {
        while (!$this->waiting->isEmpty() && ($this->idle !== [] || \count($this->busy) < $this->connections)) {
            $this->begin(
                $this->waiting->dequeue(),
                array_pop($this->idle) ?? new NonBlockingConnection($this->address),
            );
        }
    }

    private function begin(int $due, NonBlockingConnection $connection): void
    {
        $error = $connection->start($this->request, $due);
        if ($error !== null) {
            $this->fail($connection, $error);

            return;
        }
        $this->busy[spl_object_id($connection)] = $connection;
    }

    private function giveUp(int $now): void
    {
        $latest = $now - (int) ($this->timeout * 0.5e9);
        while (!$this->waiting->isEmpty() && $this->waiting->bottom() < $latest) {
            ($this->sink)(
                $this->waiting->dequeue(),
                $now,
                \sprintf('no connection was free within %g s', $this->timeout / 2),
            );
        }
        $oldest = $now - (int) ($this->timeout * 1e9);
        foreach ($this->busy as $connection) {
            if ($connection->due < $oldest) {
                $this->end($connection, \sprintf('no reply within %g s', $this->timeout));
            }
        }
    }

    private function wait(?int $next): void
    {
        $read = $write = [];
        foreach ($this->busy as $id => $connection) {
            $socket = $connection->socket();
            if ($socket !== null && $connection->isSending()) {
                $write[$id] = $socket;
            } elseif ($socket !== null) {
                $read[$id] = $socket;
            }
        }
        $left = $next === null ? self::LOOK : max(0, min(self::LOOK, $next - (int) hrtime(true)));
        if ($read === [] && $write === []) {
            usleep(intdiv($left, 1000));

            return;
        }
        $except = null;
        if ((int) @stream_select($read, $write, $except, 0, intdiv($left, 1000)) === 0) {
            return;
        }
        foreach ($write as $id => $socket) {
            $error = $this->busy[$id]->send();
            if ($error !== null) {
                $this->fail($this->busy[$id], $error);
            }
        }
        foreach ($read as $id => $socket) {
            $this->receive($this->busy[$id]);
        }
    }

    private function receive(NonBlockingConnection $connection): void
    {
        $reply = $connection->receive();
        if ($reply === null) {
            return;
        }
        if (\is_string($reply)) {
            $this->fail($connection, $reply);

            return;
        }
        $now = hrtime(true);
        unset($this->busy[spl_object_id($connection)]);
        $this->idle[] = $connection;
        $fault = $reply->status === 200 ? $this->target->fault($reply) : null;
        if ($fault !== null) {
            throw new WrongReply(\sprintf('%s: %s', $this->target->url, $fault));
        }
        ($this->sink)(
            $connection->due,
            $now,
            $reply->status === 200 ? null : \sprintf('status %d, %s', $reply->status, Target::excerpt($reply->body)),
        );
    }

    /**
     * A server may close a connection between two requests. The request is then tried once more, on a new connection.
     */
    private function fail(NonBlockingConnection $connection, string $error): void
    {
        if ($connection->isReused()) {
            unset($this->busy[spl_object_id($connection)]);
            $connection->close();
            $this->begin($connection->due, new NonBlockingConnection($this->address));
        } else {
            $this->end($connection, $error);
        }
    }

    private function end(NonBlockingConnection $connection, string $error): void
    {
        unset($this->busy[spl_object_id($connection)]);
        $connection->close();
        ($this->sink)($connection->due, hrtime(true), $error);
    }
}
