<?php

declare(strict_types=1);

namespace Larder\Testbed\Tests\Server;

use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\TestCase;

/** A directory of the test's own, which other accounts may enter, and how to tell that a process has ended. */
abstract class ServerTestCase extends TestCase
{
    protected string $directory;

    private TemporaryDirectory $scratch;

    protected function setUp(): void
    {
        $this->scratch = self::scratch();
        $this->directory = $this->scratch->path;
    }

    protected function tearDown(): void
    {
        // Servers end with their objects, and before their directory.
        gc_collect_cycles();
        $this->scratch->remove();
    }

    protected static function scratch(): TemporaryDirectory
    {
        $scratch = new TemporaryDirectory('lbt', sys_get_temp_dir());
        chmod($scratch->path, 0o755);

        return $scratch;
    }

    /** @param list<int> $pids */
    protected static function assertEnd(array $pids, float $seconds = 5.0): void
    {
        $deadline = microtime(true) + $seconds;
        do {
            $left = array_values(array_filter($pids, self::lives(...)));
            usleep(10_000);
        } while ($left !== [] && microtime(true) < $deadline);
        self::assertSame([], $left, 'no process is left');
    }

    /** A dead process that nobody has asked after yet does not count. */
    protected static function lives(int $pid): bool
    {
        return preg_match('/^State:\s+[^ZX]/m', (string) @file_get_contents("/proc/{$pid}/status")) === 1;
    }

    /** @return resource a port that is taken, as long as this is held */
    protected static function takenPort(?int &$port): mixed
    {
        $socket = stream_socket_server('tcp://127.0.0.1:0');
        self::assertIsResource($socket);
        $name = (string) stream_socket_get_name($socket, false);
        $port = (int) substr($name, (int) strrpos($name, ':') + 1);

        return $socket;
    }
}
