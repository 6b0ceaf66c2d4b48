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
 * It holds requests back for a moment, so that what is sent together is counted as one, whatever pieces it comes in.
 */
final class CountedTrips implements ProxyTraffic
{
    /** Nanoseconds. */
    private const HELD = 2_000_000;

    public readonly int $port;

    private readonly TemporaryDirectory $directory;

    private readonly WorkerPool $process;

    /** @var array<int, bool> by connection: whether a reply has gone to the client since its last request */
    private array $replied = [];

    private int $trips = 0;

    /** @param string $server `tcp://127.0.0.1:11211` */
    public function __construct(string $server)
    {
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
        $connection->requests->delay = self::HELD;
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
        $this->replied[$connection->number] = true;

        return $bytes;
    }

    public function closed(ProxiedConnection $connection): void {}

    private function counted(): int
    {
        return (int) @file_get_contents($this->directory->path . '/trips');
    }
}
