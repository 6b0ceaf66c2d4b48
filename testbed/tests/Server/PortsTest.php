<?php

declare(strict_types=1);

namespace Larder\Testbed\Tests\Server;

use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\WorkerPool;
use Larder\Testbed\Server\Ports;
use Larder\Testbed\Server\ServerFailed;
use PHPUnit\Framework\Attributes\CoversClass;

#[CoversClass(Ports::class)]
final class PortsTest extends ServerTestCase
{
    private const WORKERS = 4;

    public function testProcessesSideBySideNeverHaveTheSamePort(): void
    {
        // So few beside those that are taken that they look at the same ones.
        $each = 200;
        $ports = new Ports($this->directory . '/ports', 20_000, 20_000 + self::WORKERS * $each + 50);
        $board = Board::create(['begun' => self::WORKERS, 'done' => self::WORKERS]);
        $pool = new WorkerPool(static function (int $number) use ($ports, $each, $board): array {
            self::meet($board, 'begun', $number);
            $taken = array_map(static fn(): int => $ports->take(), range(1, $each));
            // The ports of a process that has ended are free.
            self::meet($board, 'done', $number);

            return $taken;
        });
        $pool->fill(self::WORKERS);
        $all = [];
        foreach ($pool->end(120.0) as $end) {
            self::assertTrue($end->finished, $end->reason());
            self::assertIsArray($end->result);
            $all = [...$all, ...$end->result];
        }
        self::assertCount(self::WORKERS * $each, $all);
        self::assertCount(self::WORKERS * $each, array_unique($all, SORT_REGULAR));
    }

    public function testAPortIsNotHandedOutWhileItIsBoundOrItsProcessLives(): void
    {
        $bound = self::takenPort($port);
        self::assertIsInt($port);
        $file = $this->directory . '/ports';
        self::assertFails(new Ports($file, $port, $port));
        fclose($bound);
        $pool = new WorkerPool(static fn(): int => (new Ports($file, $port, $port))->take());
        $pool->start(0);
        self::assertSame($port, $pool->end(60.0)[0]->result);
        self::assertSame($port, (new Ports($file, $port, $port))->take(), 'The process that had it has ended.');
        self::assertFails(new Ports($file, $port, $port));
    }

    public function testOneThatIsFreeIsBelowThoseOfClients(): void
    {
        $client = stream_socket_server('tcp://127.0.0.1:0');
        self::assertIsResource($client);
        $port = Ports::free();
        self::assertNotSame($port, Ports::free());
        $server = stream_socket_server('tcp://127.0.0.1:' . $port);
        self::assertIsResource($server, 'It can be bound.');
        self::assertLessThan((int) substr((string) stream_socket_get_name($client, false), 10), $port);
    }

    private static function meet(Board $board, string $place, int $number): void
    {
        $board->set($place, 1, $number);
        for ($try = 0; $try < 60_000 && $board->sum($place) < self::WORKERS; ++$try) {
            usleep(1000);
        }
    }

    private static function assertFails(Ports $ports): void
    {
        try {
            $ports->take();
            self::fail();
        } catch (ServerFailed $failed) {
            self::assertStringContainsString('no free port', $failed->getMessage());
        }
    }
}
