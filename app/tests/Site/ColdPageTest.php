<?php

declare(strict_types=1);

namespace App\Tests\Site;

use Larder\Page\Lease\FileLeases;
use Larder\Page\PageCache;
use Larder\Testbed\Http\Response;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** A crowd before a page that takes 200 ms to make, with eight workers to make it. */
#[CoversClass(FileLeases::class)]
#[CoversClass(PageCache::class)]
final class ColdPageTest extends TestCase
{
    private const CROWD = 200;

    private static LiveSite $site;

    private static RenderLog $log;

    public static function setUpBeforeClass(): void
    {
        self::$site = LiveSite::withTraps(workers: 8);
        self::$log = new RenderLog(self::$site->configuration->var . '/renders');
    }

    public static function tearDownAfterClass(): void
    {
        self::$site->stop();
    }

    public function testOneRendersAndAllHaveItsPageInTime(): void
    {
        // What the queue before eight workers costs by itself: answers that PHP gives without a page to wait for.
        $queueing = self::longest(Visitors::get(self::$site->address, '/trap/plain?', self::CROWD));
        $visits = Visitors::get(self::$site->address, '/trap/slow-one', self::CROWD);

        self::assertSame(['begin', 'end'], array_column(self::rendersOf('slow-one'), 'step'), 'One render.');
        self::assertSame(
            [200],
            array_values(array_unique(array_map(static fn(array $visit): int => $visit['answer']->status, $visits))),
        );
        $bodies = array_values(
            array_unique(array_map(static fn(array $visit): string => $visit['answer']->body, $visits)),
        );
        self::assertCount(1, $bodies);
        self::assertStringContainsString('slow-one, render 1', $bodies[0]);
        self::assertSame($bodies[0], self::$site->get('/trap/slow-one')->body);
        self::assertCount(
            1,
            array_filter(
                $visits,
                static fn(array $visit): bool => $visit['answer']->header(
                    'Cache-Status',
                ) === 'larder; fwd=miss; stored',
            ),
        );
        self::assertLessThan(
            self::$site->site->limits->waitMilliseconds / 1000 + $queueing,
            self::longest($visits),
            \sprintf('Nobody waits longer than the bound and the queue of %.3f s.', $queueing),
        );
    }

    public function testWhenTheRendererIsKilledTheNextOneTakesItsPlace(): void
    {
        $killed = null;
        $visits = Visitors::get(self::$site->address, '/trap/slow-two', self::CROWD, static function () use (
            &$killed,
        ): void {
            $begun = $killed === null ? self::rendersOf('slow-two')[0] ?? null : null;
            if ($begun !== null && microtime(true) > $begun['at'] + 0.1) {
                $killed = microtime(true);
                posix_kill($begun['pid'], SIGKILL);
            }
        });

        $renders = self::rendersOf('slow-two');
        self::assertSame(['begin', 'begin', 'end'], array_column($renders, 'step'), 'One render killed, one whole.');
        self::assertIsFloat($killed);
        self::assertGreaterThan($killed, $renders[1]['at'], 'Never two at a time.');
        self::assertLessThan(
            $killed + self::$site->site->limits->waitMilliseconds / 1000,
            $renders[1]['at'],
            'At once, and not when the lease\'s life is over.',
        );
        $failed = array_values(
            array_filter($visits, static fn(array $visit): bool => $visit['answer']->status !== 200),
        );
        self::assertSame(
            [503],
            array_map(static fn(array $visit): int => $visit['answer']->status, $failed),
            'Only the visitor whose renderer died has no page.',
        );
        self::assertCount(
            1,
            array_unique(
                array_map(
                    static fn(array $visit): string => $visit['answer']->body,
                    array_filter($visits, static fn(array $visit): bool => $visit['answer']->status === 200),
                ),
            ),
        );
        self::assertStringContainsString('slow-two, render 2', self::$site->get('/trap/slow-two')->body);
    }

    /** @param list<array{answer: Response, seconds: float}> $visits */
    private static function longest(array $visits): float
    {
        return max([0.0, ...array_column($visits, 'seconds')]);
    }

    /** @return list<array{step: string, page: string, pid: int, at: float}> */
    private static function rendersOf(string $page): array
    {
        return array_values(array_filter(self::$log->all(), static fn(array $note): bool => $note['page'] === $page));
    }
}
