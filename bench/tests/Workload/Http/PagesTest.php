<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Http;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Tests\Workload\Http\Fixture\FaultyServer;
use Larder\Bench\Tests\Workload\Http\Fixture\HttpTestCase;
use Larder\Bench\Workload\Http\Pages;
use Larder\Testbed\Load\Wrk;
use Larder\Testbed\Server\ServerFailed;
use PHPUnit\Framework\Attributes\DataProvider;

final class PagesTest extends HttpTestCase
{
    /** @return iterable<string, array{bool}> */
    public static function keepAlive(): iterable
    {
        yield 'kept' => [true];
        yield 'a connection each' => [false];
    }

    #[DataProvider('keepAlive')]
    public function testMeasuresAPage(bool $keepAlive): void
    {
        $server = new FaultyServer();
        $measured = (new Pages())->measure(
            $this->job([$server->endpoint()], ['connections' => 20, 'keepalive' => $keepAlive, 'size' => 2]),
            self::page(),
        );

        $window = $measured->window;
        self::assertGreaterThan(100, $window->operations);
        self::assertSame(0, $window->errors, (string) $measured->firstError);
        self::assertNull($measured->firstError);
        self::assertGreaterThanOrEqual(0.2, $window->seconds);
        self::assertSame($window->operations * 1950, $window->bytes);
        self::assertGreaterThan(0.0, $window->clientCpu);
        // wrk and the server have one thread each, and /proc counts hundredths of a second.
        self::assertLessThan($window->seconds * 1e6 + 50_000.0, $window->clientCpu);
        self::assertGreaterThan(0.0, $window->serverCpu);
        self::assertLessThan($window->seconds * 1e6 + 50_000.0, $window->serverCpu);
        self::assertCount(8, $window->slices);
        // The reply that closes the window may come after the last slice.
        self::assertEqualsWithDelta($window->operations, array_sum($window->slices), 2);
        self::assertGreaterThan($window->operations, $measured->latency->count());
        self::assertGreaterThan(20_000.0, $measured->latency->percentile(0.5) ?? 0.0);
        self::assertGreaterThan($measured->latency->percentile(0.5), $measured->latency->max());
        self::assertSame([], glob($this->directory . '/*'));
    }

    /** @return iterable<string, array{string, string, string}> */
    public static function wrongOnes(): iterable
    {
        yield 'the body of another page' => ['other', 'page-static', 'another page'];
        yield 'a byte less' => ['short', 'page-static', '1949 bytes that are not the 1950'];
        yield 'no hit' => ['miss', 'page-hit', 'Cache-Status: larder; fwd=miss instead of larder; hit'];
        yield 'never the same' => ['changing', 'page-static', 'bytes that are not the'];
    }

    #[DataProvider('wrongOnes')]
    public function testAWrongReplyVoidsTheCell(string $fault, string $subject, string $words): void
    {
        $server = new FaultyServer($fault);

        $this->expectException(WrongReply::class);
        $this->expectExceptionMessage($words);
        (new Pages())->measure($this->job([$server->endpoint()]), self::page($subject));
    }

    /** @return iterable<string, array{string, string}> */
    public static function failures(): iterable
    {
        yield 'bad gateway' => ['502', 'status 502, "Bad Gateway"'];
        yield 'bodies cut off' => ['truncated', 'a reply broke off'];
        yield 'no HTTP' => ['garbage', 'a reply broke off'];
    }

    #[DataProvider('failures')]
    public function testAReplyThatFailsIsAnErrorAndNoOperation(string $fault, string $words): void
    {
        $server = new FaultyServer($fault);
        $measured = (new Pages())->measure($this->job([$server->endpoint()], ['connections' => 10]), self::page());

        self::assertGreaterThan(0, $measured->window->errors);
        self::assertSame($words, $measured->firstError);
        // One reply in twenty fails. wrk counts those that break off in its whole run and not in the window only, less
        // as many as there are connections.
        self::assertEqualsWithDelta(
            $measured->window->operations / 19,
            $measured->window->errors,
            $measured->window->operations * 0.05,
        );
    }

    public function testNothingButErrorsIsNoRate(): void
    {
        $server = new FaultyServer('all-502');

        $this->expectException(Failed::class);
        $this->expectExceptionMessageMatches('/no right reply and \d+ errors, first: status 502, "Bad Gateway"/');
        (new Pages())->measure($this->job([$server->endpoint()]), self::page());
    }

    public function testAServerThatNoLongerAnswersIsNoRate(): void
    {
        $server = new FaultyServer('silent');

        $this->expectException(ServerFailed::class);
        $this->expectExceptionMessage('it stopped answering');
        (new Wrk($this->directory, 0.5))->measure($server->target(), 20, true, 0.25);
    }

    public function testAServerThatIsGoneIsSaid(): void
    {
        $server = new FaultyServer();
        $endpoint = $server->endpoint();
        unset($server);

        $this->expectException(Failed::class);
        $this->expectExceptionMessage('cannot connect');
        (new Pages())->measure($this->job([$endpoint]), self::page());
    }

    public function testASizeThatThePageDoesNotComeInIsNoFailure(): void
    {
        $server = new FaultyServer();

        $this->expectException(NotApplicable::class);
        $this->expectExceptionMessage('no page of 38 KB');
        (new Pages())->measure($this->job([$server->endpoint()], ['size' => 38]), self::page());
    }

    public function testAWarmUpEndsWhenTheRateStandsStillOrTheTimeIsOver(): void
    {
        $server = new FaultyServer();
        $report = (new Wrk($this->directory))->warmUp($server->target(), 5, true, 1.0);

        self::assertSame(0, $report->right);
        self::assertNull($report->wrong);
        $never = (new Wrk($this->directory))->warmUp($server->target(), 5, true, 0.02);
        self::assertFalse($never->steady, 'too short for three equal parts');
    }

    public function testPagesOnly(): void
    {
        $noop = \Larder\Bench\Subject\Catalogue::standard()->get('noop');

        self::assertSame('not a page', (new Pages())->refuses($noop));
        self::assertNull((new Pages())->refuses(self::page()));
    }
}
