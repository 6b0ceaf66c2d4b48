<?php

declare(strict_types=1);

namespace Larder\Testbed\Tests\Load;

use Larder\Testbed\Load\Target;
use Larder\Testbed\Load\Wrk;
use Larder\Testbed\Server\Program;
use Larder\Testbed\Server\ServerFailed;
use Larder\Testbed\Site\StandIn;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** Against nginx, which has a page of known bytes. */
#[CoversClass(Wrk::class)]
#[CoversClass(Target::class)]
final class WrkTest extends TestCase
{
    private const BODY = 'a page of known bytes';

    private StandIn $site;

    protected function setUp(): void
    {
        if (Program::find('wrk') === null) {
            self::markTestSkipped('needs wrk');
        }
        $this->site = new StandIn();
        $this->site->place('/news/4', self::BODY);
    }

    protected function tearDown(): void
    {
        if (isset($this->site)) {
            $this->site->remove();
        }
    }

    public function testRightRepliesAreCountedWithTheirLatencies(): void
    {
        $report = $this->wrk()->measure($this->target(), 4, true, 0.5);

        self::assertNull($report->wrong);
        self::assertNull($report->error);
        self::assertGreaterThan(0, $report->right);
        self::assertSame(0, $report->failed);
        self::assertCount(8, $report->slices);
        self::assertLessThanOrEqual($report->right, array_sum($report->slices));
        self::assertNotSame([], $report->latencies);
        self::assertGreaterThan(0.0, $report->serverCpu);
    }

    public function testAWrongBodyEndsTheRun(): void
    {
        $report = $this->wrk()->measure($this->target(body: self::BODY . '!'), 4, true, 60.0);

        self::assertSame('21 bytes that are not the 22 of the page: "' . self::BODY . '"', $report->wrong);
    }

    public function testAMissingHeaderIsAWrongReply(): void
    {
        $report = $this->wrk()->measure($this->target(headers: ['X-Content-Type-Options' => 'sniff']), 4, false, 60.0);

        self::assertSame('X-Content-Type-Options: nosniff instead of sniff', $report->wrong);
    }

    public function testAWarmUpEndsWhenTheRateStandsStillOrAtItsDeadline(): void
    {
        $report = $this->wrk()->warmUp($this->target(), 4, true, 2.0);

        self::assertSame([0, null], [$report->right, $report->wrong]);
        self::assertGreaterThan(0, $report->requests);
    }

    public function testAFloodIsCountedAndNotCompared(): void
    {
        $report = $this->wrk()->flood($this->site->servers->url . '/news/4', 4, 0.3, ['Host: news.example']);

        self::assertGreaterThan(0, $report->requests);
        self::assertGreaterThan($report->requests * \strlen(self::BODY), $report->bytes);
        self::assertGreaterThan(0, $report->percentile(0.5));
        self::assertGreaterThan(0.0, $report->requestRate());
        self::assertSame([0, 0], [$report->broken, $report->refused]);
    }

    public function testRefusedRequestsOfAFloodAreCounted(): void
    {
        $this->site->servers->php->stop();
        $report = $this->wrk()->flood($this->site->servers->url . '/missing', 4, 0.3);

        self::assertGreaterThan(0, $report->requests);
        self::assertSame($report->requests, $report->refused);
    }

    public function testNobodyThereIsAFailure(): void
    {
        $this->site->servers->stop();
        $this->expectException(ServerFailed::class);
        $this->expectExceptionMessage('wrk measured nothing');
        $this->wrk()->flood($this->site->servers->url . '/', 4, 0.3);
    }

    private function wrk(): Wrk
    {
        return new Wrk($this->site->directory->path);
    }

    /** @param array<string, string> $headers */
    private function target(string $body = self::BODY, array $headers = []): Target
    {
        return new Target(
            $this->site->servers->url . '/news/4',
            $body,
            $headers,
            $this->site->servers->nginx->endpoint()->pids,
        );
    }
}
