<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Http;

use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Tests\Workload\Http\Fixture\FaultyServer;
use Larder\Bench\Workload\Http\Arrivals;
use Larder\Bench\Workload\Http\OpenLoop;
use Larder\Bench\Workload\Http\StageCount;
use Larder\Bench\Workload\Http\Wrk;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

final class OpenLoopTest extends TestCase
{
    public function testStartsEveryRequestThatIsDueAndChecksItsReply(): void
    {
        [$count] = self::requests('', new Arrivals([[0.5, 400.0]], true, 1));

        self::assertSame([199, 0, null], [$count->right, $count->errors, $count->firstError]);
    }

    public function testAPauseShowsInEveryRequestThatFellIntoIt(): void
    {
        // 200 requests a second, and the server stands still for half a second: 100 of them are late, by 250 ms on
        // average.
        [$open, $late] = self::requests('stall', new Arrivals([[1.5, 200.0]], true, 1), connections: 200);

        self::assertSame(0, $open->errors, (string) $open->firstError);
        self::assertEqualsWithDelta(80, $late, 15, 'requests that took more than 100 ms');
        self::assertGreaterThan(400_000_000, $open->latency->max());
        self::assertGreaterThan(300e6, $open->latency->percentile(0.9) ?? 0.0);

        // The closed loop asks nobody meanwhile: the same pause is one request of thousands.
        $server = new FaultyServer('stall');
        $closed = (new Wrk(sys_get_temp_dir()))->measure($server->target(), 1, true, 1.0);
        self::assertGreaterThan(400_000_000, $closed->latency->max());
        self::assertLessThan(10e6, $closed->latency->percentile(0.99) ?? INF);
    }

    public function testARequestWithoutAReplyIsAnErrorAfterItsTime(): void
    {
        $begin = microtime(true);
        [$count] = self::requests('silent', new Arrivals([[0.5, 100.0]], true, 1), timeout: 0.3);

        self::assertSame(10, $count->right);
        self::assertSame(39, $count->errors);
        self::assertSame('no reply within 0.3 s', $count->firstError);
        self::assertLessThan(1.5, microtime(true) - $begin);
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
        // A client measured before may keep connections of its own.
        $before = $most = $sockets();
        $waited = 0;
        (new OpenLoop($server->target(), 5, 0.3))->run(
            new Arrivals([[0.4, 3000.0]], true, 1),
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
        [$count] = self::requests('closing', new Arrivals([[0.3, 300.0]], false, 1));

        self::assertSame([0, null], [$count->errors, $count->firstError]);
        self::assertGreaterThan(50, $count->right);
    }

    /** @return iterable<string, array{string, string}> */
    public static function failures(): iterable
    {
        yield '502' => ['502', 'status 502, "Bad Gateway"'];
        yield 'cut off' => ['truncated', 'the reply breaks off'];
        yield 'no HTTP' => ['garbage', 'no HTTP: "SSH-2.0"'];
    }

    #[DataProvider('failures')]
    public function testAReplyThatFailsIsAnError(string $fault, string $words): void
    {
        [$count] = self::requests($fault, new Arrivals([[0.5, 400.0]], true, 1));

        self::assertSame($words, $count->firstError);
        self::assertSame(9, $count->errors);
        self::assertSame(190, $count->right);
        self::assertEqualsWithDelta(9 / 199, $count->errorShare(), 1e-9);
    }

    public function testAnotherPagesBodyEndsIt(): void
    {
        $this->expectException(WrongReply::class);
        $this->expectExceptionMessage('another page');
        self::requests('other', new Arrivals([[0.5, 400.0]], true, 1));
    }

    public function testNobodyThereIsAnErrorEach(): void
    {
        $server = new FaultyServer();
        $target = $server->target();
        unset($server);
        $count = new StageCount();
        (new OpenLoop($target, 10, 0.2))->run(
            new Arrivals([[0.2, 100.0]], true, 1),
            $count->count(...),
            static function (): void {},
        );

        self::assertSame([0, 19], [$count->right, $count->errors]);
    }

    /** @return array{StageCount, int} and how many took more than 100 ms */
    private static function requests(
        string $fault,
        Arrivals $arrivals,
        int $connections = 50,
        float $timeout = 2.0,
    ): array {
        $server = new FaultyServer($fault);
        $count = new StageCount();
        $late = 0;
        (new OpenLoop(
            $server->target(),
            $connections,
            $timeout,
        ))->run($arrivals, static function (int $due, int $end, ?string $error) use ($count, &$late): void {
            $count->count($due, $end, $error);
            $late += $end - $due > 100_000_000 ? 1 : 0;
        }, static function (): void {});

        return [$count, $late];
    }
}
