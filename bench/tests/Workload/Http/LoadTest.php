<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Http;

use InvalidArgumentException;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Tests\Workload\Http\Fixture\FaultyServer;
use Larder\Bench\Tests\Workload\Http\Fixture\HttpTestCase;
use Larder\Bench\Workload\Http\ClosedLoop;
use Larder\Bench\Workload\Http\OpenPages;
use Larder\Bench\Workload\Http\Overload;
use Larder\Bench\Workload\Http\Soak;
use Larder\Bench\Workload\Published\AbTable;

/** Open loops, soak and ab with a server that answers fewer than 1,000 requests a second. */
final class LoadTest extends HttpTestCase
{
    public function testAnOverloadIsSurvivedOrNot(): void
    {
        $server = new FaultyServer('slow');
        $measured = (new Overload())->measure(
            $this->job([$server->endpoint()], ['seconds' => 1.5, 'calm' => 1.5, 'timeout' => 0.3]),
            self::page(),
        );
        $extra = $measured->extra;

        self::assertGreaterThan(0.0, $extra['capacity requests/s']);
        self::assertLessThan(1000.0, $extra['capacity requests/s']);
        self::assertSame($measured->window->offered, $extra['offered requests/s']);
        self::assertEqualsWithDelta(2.0, $extra['offered requests/s'] / $extra['capacity requests/s'], 1e-6);
        self::assertEqualsWithDelta(1.2, $measured->window->seconds, 1e-6);
        self::assertGreaterThan($extra['errors % before'], $extra['errors %']);
        self::assertMatchesRegularExpression(
            '/^no (connection was free within 0.15|reply within 0.3) s$/',
            (string) $measured->firstError,
        );
        self::assertGreaterThan(0.0, $extra['goodput requests/s']);
        self::assertSame(
            $extra['goodput requests/s'] / $extra['capacity requests/s'] * 100,
            $extra['goodput % of capacity'],
        );
        self::assertSame(
            [],
            array_diff($measured->flags, ['not recovered within 1.5 s', 'the load generator was late']),
        );
        self::assertSame(!\in_array('not recovered within 1.5 s', $measured->flags, true), isset($extra['recovery s']));
    }

    public function testOneShareOfTheCapacity(): void
    {
        $server = new FaultyServer();
        $measured = (new OpenPages())->measure(
            $this->job([$server->endpoint()], ['load' => 0.2], seconds: 0.5),
            self::page(),
        );

        self::assertSame(0, $measured->window->errors, (string) $measured->firstError);
        self::assertGreaterThan(0, $measured->window->operations);
        self::assertSame($measured->window->operations, array_sum($measured->window->slices));
        self::assertEqualsWithDelta($measured->extra['capacity requests/s'] * 0.2, $measured->window->offered, 1e-6);
        self::assertArrayNotHasKey('knee % of capacity', $measured->extra);
    }

    public function testTheKneeIsBelowTheCapacity(): void
    {
        $server = new FaultyServer('slow');
        $measured = (new OpenPages())->measure(
            $this->job(
                [$server->endpoint()],
                ['loads' => '40:250', 'timeout' => 1.0, 'arrivals' => 'constant'],
                seconds: 0.5,
            ),
            self::page(),
        );

        self::assertSame(40.0, $measured->extra['knee % of capacity']);
        self::assertGreaterThan($measured->extra['p99 us at 40 %'], $measured->extra['p99 us at 250 %']);
        self::assertSame(0, $measured->window->errors);
    }

    public function testALoadThatIsNoneIsRefused(): void
    {
        $server = new FaultyServer();

        $this->expectException(InvalidArgumentException::class);
        (new OpenPages())->measure($this->job([$server->endpoint()], ['load' => 20.0]), self::page());
    }

    public function testASoakShowsALeak(): void
    {
        $figures = [];
        foreach (['', 'leak'] as $fault) {
            $server = new FaultyServer($fault);
            $measured = (new Soak())->measure(
                $this->job([$server->endpoint()], ['seconds' => 2, 'connections' => 2]),
                self::page(),
            );
            self::assertSame([0, []], [$measured->window->errors, $measured->flags]);
            self::assertGreaterThan(100, $measured->window->operations);
            $figures[] = $measured->extra['all processes, MB/h'];
        }

        self::assertGreaterThan(1000.0, $figures[1]);
        self::assertLessThan($figures[1] / 10, $figures[0]);
    }

    public function testASoakEndsAtAWrongReply(): void
    {
        $server = new FaultyServer('short');

        $this->expectException(WrongReply::class);
        (new Soak())->measure($this->job([$server->endpoint()], ['seconds' => 20]), self::page());
    }

    public function testAbsTableIsAbsAndTheVerifiedFiguresStandBelow(): void
    {
        $server = new FaultyServer();
        $said = [];
        $published = (new AbTable(['uncached' => self::page(), 'cached' => self::page('page-hit')], 200, 10, 0.2))->run(
            static fn(string $kind, int $instances): array => $kind === 'site' && $instances === 1
                ? [$server->endpoint()]
                : [],
            $this->directory,
            static function (string $message) use (&$said): void {
                $said[] = $message;
            },
        );

        self::assertSame('pages', $published->test);
        self::assertSame(2, preg_match_all('/^Complete requests:      200$/m', $published->text));
        self::assertSame(2, preg_match_all('/^Document Length:        1950 bytes$/m', $published->text));
        self::assertSame(2, substr_count($published->text, "$ ab -c 10 -n 200 {$server->url()}\n"));
        self::assertSame(
            2,
            preg_match_all(
                '/^(un)?cached +[1-9]\d*\.\d\d verified requests\/s, .*, 0 errors, 1950 bytes each$/m',
                $published->text,
            ),
        );
        self::assertStringContainsString('lengths', $published->remark);
        self::assertCount(4, $said);
    }

    public function testTheLoopbackHasASpeed(): void
    {
        self::assertGreaterThan(0.0, ClosedLoop::loopback());
    }
}
