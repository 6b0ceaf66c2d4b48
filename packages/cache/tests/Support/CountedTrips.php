<?php

declare(strict_types=1);

namespace Larder\Tests\Support;

use Larder\Testbed\Net\ProxiedConnection;
use Larder\Testbed\Net\Proxy;
use Larder\Testbed\Net\ProxyTraffic;
use Larder\Testbed\Process\WorkerPool;
use Larder\Testbed\TemporaryDirectory;

/**
 * Stands before a server and counts round trips: how often a client that had all its replies sent something.
 *
 * A client that is still sending gets no reply before it sleeps, so that what is sent together is counted as one,
 * whatever pieces it comes in and however busy the machine is.
 */
final class CountedTrips implements ProxyTraffic
{
    /** Microseconds between two looks at the client, and how many looks there are at most. */
    private const PAUSE = 50;
    private const LOOKS = 200_000;

    public readonly int $port;

    private readonly TemporaryDirectory $directory;

    private readonly WorkerPool $process;

    /** The process that made this, and that sends the requests. */
    private readonly int $client;

    /** @var array<int, bool> by connection: whether a reply has gone to the client since its last request */
    private array $replied = [];

    private int $trips = 0;

    /** @param string $server `tcp://127.0.0.1:11211` */
    public function __construct(string $server)
    {
        $this->client = (int) getmypid();
        $this->directory = new TemporaryDirectory();
        $proxy = new Proxy($server, $this);
        $this->port = $proxy->port;
        $this->process = new WorkerPool(static fn() => $proxy->serve());
        $this->process->start(0);
        $proxy->close();
    }

    /**
     * The trips that a call takes.
     *
     * @param callable(): mixed $call
     */
    public function of(callable $call): int
    {
        $before = $this->counted();
        $call();

        return $this->counted() - $before;
    }

    public function stop(): void
    {
        $this->process->killAll();
        $this->directory->remove();
    }

    public function opened(ProxiedConnection $connection): void
    {
        $this->replied[$connection->number] = true;
    }

    public function request(ProxiedConnection $connection, string $bytes): string
    {
        if ($this->replied[$connection->number] ?? true) {
            $this->replied[$connection->number] = false;
            file_put_contents($this->directory->path . '/trips', (string) ++$this->trips);
        }

        return $bytes;
    }

    public function reply(ProxiedConnection $connection, string $bytes): string
    {
        $this->awaitSleep();
        // Bytes that were sent before this reply could be read belong to the same trip, and have replies of their own.
        if (@socket_recv($connection->client, $unread, 1, MSG_PEEK | MSG_DONTWAIT) !== 1) {
            $this->replied[$connection->number] = true;
        }

        return $bytes;
    }

    public function closed(ProxiedConnection $connection): void {}

    /** Returns once the client waits for something: it has sent all that it wanted to send. See proc_pid_stat(5). */
    private function awaitSleep(): void
    {
        for ($look = 0; $look < self::LOOKS; ++$look) {
            $status = (string) @file_get_contents("/proc/$this->client/stat");
            if (!str_starts_with(substr($status, (int) strrpos($status, ')')), ') R')) {
                return;
            }
            usleep(self::PAUSE);
        }
    }

    private function counted(): int
    {
        return (int) @file_get_contents($this->directory->path . '/trips');
    }
}
