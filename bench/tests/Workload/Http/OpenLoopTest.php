<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Http;

use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Tests\Workload\Http\Fixture\FaultyServer;
use Larder\Bench\Workload\Http\OpenLoop;
use Larder\Bench\Workload\Http\Stage;
use Larder\Testbed\Load\Wrk;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

final class OpenLoopTest extends TestCase
{
    public function testStartsEveryRequestThatIsDueAndChecksItsReply(): void
    {
        [$count] = self::requests('', new Stage(0.5, 400.0));

        self::assertSame([199, 0, null], [$count->right, $count->errors, $count->firstError]);
    }

    public function testAPauseShowsInEveryRequestThatFellIntoIt(): void
    {
        // 200 requests a second, and the server stands still for half a second.
        [$open, $requests] = self::requests('stall', new Stage(1.5, 200.0), connections: 200);

        self::assertSame([299, 0, null], [$open->right, $open->errors, $open->firstError]);
        // Those that were due in its first 0.4 s waited at least 0.1 s for its end.
        $late = array_filter($requests, static fn(array $request): bool => $request[1] - $request[0] > 100_000_000);
        self::assertGreaterThanOrEqual(75, \count($late));
        self::assertGreaterThan(400_000_000, $open->latency->max());
        self::assertGreaterThan(300e6, $open->latency->percentile(0.9) ?? 0.0);

        // A closed loop sends nothing meanwhile, so the same pause is one request of thousands.
        $server = new FaultyServer('stall');
        $closed = (new Wrk(sys_get_temp_dir()))->measure($server->target(), 1, true, 1.0);
        self::assertGreaterThan(400_000, $closed->percentile(1.0));
        self::assertLessThan(($open->latency->percentile(0.9) ?? 0.0) / 1000, $closed->percentile(0.99));
    }

    public function testARequestWithoutAReplyIsAnErrorAfterItsTime(): void
    {
        [$count, $requests] = self::requests('silent', new Stage(0.5, 100.0), timeout: 1.0);

        self::assertSame([10, 39], [$count->right, $count->errors]);
        self::assertSame('no reply within 1 s', $count->firstError);
        $failed = array_values(array_filter($requests, static fn(array $request): bool => $request[2] !== null));
        foreach ($failed as [$due, $end]) {
            self::assertGreaterThanOrEqual(1_000_000_000, $end - $due);
        }
        $due = array_column($failed, 0);
        sort($due);
        self::assertSame($due, array_column($failed, 0), 'the oldest is given up first');
    }

    public function testOpensNoMoreConnectionsThanItMay(): void
    {
        $server = new FaultyServer('silent');
        $sockets = static fn(): int => \count(
            array_filter(
                (array) glob('/proc/self/fd/*'),
                static fn(string|false $fd): bool => str_starts_with((string) @readlink((string) $fd), 'socket:'),
            ),
        );
        // Another test in this process may have left sockets open.
        $before = $most = $sockets();
        $waited = 0;
        (new OpenLoop($server->target(), 5, 0.3))->run(
            Stage::times([new Stage(0.4, 3000.0)], true, 1),
            static function (int $due, int $end, ?string $error) use (&$waited): void {
                $waited += str_starts_with((string) $error, 'no connection was free') ? 1 : 0;
            },
            static function () use ($sockets, &$most): void {
                $most = max($most, $sockets());
            },
        );

        self::assertLessThanOrEqual($before + 5 + 1, $most);
        self::assertGreaterThan($before, $most);
        self::assertGreaterThan(50, $waited);
    }

    public function testAConnectionThatTheServerClosedBetweenTwoRequestsIsNoError(): void
    {
        [$count] = self::requests('closing', new Stage(0.3, 300.0), constant: false);

        self::assertSame([0, null], [$count->errors, $count->firstError]);
        self::assertGreaterThan(50, $count->right);
    }

    /** @return iterable<string, array{string, string}> */
    public static function failures(): iterable
    {
        yield '502' => ['502', 'status 502, "Bad Gateway"'];
        yield 'cut off' => ['truncated', 'the reply breaks off'];
        yield 'no HTTP' => ['garbage', 'no HTTP: "SSH-2.0\r\n\r\n"'];
    }

    #[DataProvider('failures')]
    public function testAReplyThatFailsIsAnError(string $fault, string $words): void
    {
        [$count] = self::requests($fault, new Stage(0.5, 400.0));

        self::assertSame($words, $count->firstError);
        self::assertSame(9, $count->errors);
        self::assertSame(190, $count->right);
        self::assertEqualsWithDelta(9 / 199, $count->errorShare(), 1e-9);
    }

    public function testAnotherPagesBodyEndsIt(): void
    {
        $this->expectException(WrongReply::class);
        $this->expectExceptionMessage('another page');
        self::requests('other', new Stage(0.5, 400.0));
    }

    public function testNobodyThereIsAnErrorEach(): void
    {
        $server = new FaultyServer();
        $target = $server->target();
        unset($server);
        $stage = new Stage(0.2, 100.0);
        $times = Stage::times([$stage], true, 1);
        (new OpenLoop($target, 10, 0.2))->run($times, $stage->count(...), static function (): void {});

        self::assertSame([0, 19], [$stage->right, $stage->errors]);
        self::assertStringStartsWith('cannot connect to 127.0.0.1:', (string) $stage->firstError);
    }

    /** @return array{Stage, list<array{int, int, string|null}>} the last: when due, when ended, and error of each */
    private static function requests(
        string $fault,
        Stage $stage,
        bool $constant = true,
        int $connections = 50,
        float $timeout = 2.0,
    ): array {
        $server = new FaultyServer($fault);
        $requests = [];
        (new OpenLoop($server->target(), $connections, $timeout))->run(
            Stage::times([$stage], $constant, 1),
            static function (int $due, int $end, ?string $error) use ($stage, &$requests): void {
                $stage->count($due, $end, $error);
                $requests[] = [$due, $end, $error];
            },
            static function (): void {},
        );

        return [$stage, $requests];
    }
}
