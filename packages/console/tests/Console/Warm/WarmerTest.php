<?php

declare(strict_types=1);

namespace Larder\Tests\Console\Warm;

use Larder\Console\Warm\Answer;
use Larder\Console\Warm\HottestPages;
use Larder\Console\Warm\Outcome;
use Larder\Console\Warm\Pace;
use Larder\Console\Warm\Requests;
use Larder\Console\Warm\Warmer;
use Larder\Tests\Discovery\SteppedClock;
use Larder\Tests\Support\NewsSite;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

/** By a clock that only moves while somebody waits. */
#[CoversClass(Answer::class)]
#[CoversClass(HottestPages::class)]
#[CoversClass(Pace::class)]
#[CoversClass(Warmer::class)]
final class WarmerTest extends TestCase
{
    /**
     * @param positive-int $parallel
     * @param float        $takes    seconds of a page
     */
    #[TestWith([10.0, 4, 0.05, 0.1])]
    #[TestWith([10.0, 4, 0.3, 0.1])]
    #[TestWith([10.0, 2, 1.0, 0.5])]
    #[TestWith([10.0, 64, 1.0, 0.1])]
    #[TestWith([0.5, 1, 0.1, 2.0])]
    public function testNeitherTheRateNorTheNumberAtATimeIsExceeded(
        float $rate,
        int $parallel,
        float $takes,
        float $apart,
    ): void {
        $clock = new SteppedClock();
        $requests = self::requests($clock, $takes);
        $uris = array_map(static fn(int $page): string => "/news/$page", range(1, 40));
        $order = [];
        (new Warmer($requests, new Pace($rate), $parallel, $clock))->warm(
            $uris,
            static function (Answer $answer) use (&$order): void {
                $order[] = $answer->uri;
            },
        );

        self::assertSame($uris, array_keys($requests->begun));
        self::assertSame($uris, $order);
        self::assertLessThanOrEqual($parallel, $requests->most);
        $begun = array_values($requests->begun);
        for ($page = 1; $page < 40; ++$page) {
            self::assertGreaterThanOrEqual(1 / $rate - 0.0001, $begun[$page] - $begun[$page - 1]);
        }
        self::assertEqualsWithDelta(39 * $apart, $begun[39] - $begun[0], 0.9 + $takes);
    }

    /** A page that took long leaves no burst behind. */
    public function testWhatWasLateIsNotMadeUpFor(): void
    {
        $pace = new Pace(10.0);
        self::assertSame(0.0, $pace->left(100.0));
        $pace->took(100.0);
        self::assertEqualsWithDelta(0.06, $pace->left(100.04), 0.0001);
        self::assertSame(0.0, $pace->left(105.0));
        $pace->took(105.0);
        self::assertEqualsWithDelta(0.1, $pace->left(105.0), 0.0001);
    }

    #[TestWith([200, 'larder; fwd=miss; stored', Outcome::Made, ''])]
    #[TestWith([404, 'larder; fwd=miss; stored', Outcome::Made, ''])]
    #[TestWith([200, 'larder; hit', Outcome::There, ''])]
    #[TestWith([200, 'larder; hit; detail=stale', Outcome::There, ''])]
    #[TestWith([200, 'larder; fwd=miss; detail="it said \"no\""', Outcome::NotStored, 'it said "no"'])]
    #[TestWith([200, 'larder; fwd=bypass; detail="not a page"', Outcome::NotStored, 'not a page'])]
    #[TestWith([200, '', Outcome::NotStored, 'who answered is no Larder: there is no Cache-Status'])]
    #[TestWith([503, 'larder; fwd=miss; detail="no answer from PHP"', Outcome::Failed, 'no answer from PHP'])]
    #[TestWith([500, '', Outcome::Failed, 'status 500'])]
    public function testTheHeaderSaysWhatBecameOfAPage(int $status, string $header, Outcome $is, string $why): void
    {
        $answer = Answer::of('/news/4', $status, $header);
        self::assertSame([$is, $why], [$answer->outcome, $answer->reason]);
    }

    public function testTheHottestPagesOfALogAreThoseThatTheSiteCanHave(): void
    {
        $line = static fn(string $request, int $status): string
            => "203.0.113.9 - - [23/Nov/2026:09:00:00 +0000] \"$request\" $status 512 \"-\" "
                . '"x \"GET /y HTTP/1.1\" 200 "';
        $asked = [
            ...array_fill(0, 5, $line('GET /news/4 HTTP/1.1', 200)),
            ...array_fill(0, 3, $line('GET /news/5?utm_source=a HTTP/2.0', 304)),
            ...array_fill(0, 3, $line('GET /news/5?fbclid=b HTTP/1.1', 200)),
            ...array_fill(0, 4, $line('GET /list?utm_source=a&page=2 HTTP/1.1', 200)),
            ...array_fill(0, 9, $line('GET /news/4?order=1 HTTP/1.1', 200)),
            ...array_fill(0, 9, $line('GET /news/../4 HTTP/1.1', 200)),
            ...array_fill(0, 9, $line('GET /@2026-11-23T09:00+00:00/quick HTTP/1.1', 200)),
            ...array_fill(0, 9, $line('POST /news/4/comment HTTP/1.1', 200)),
            ...array_fill(0, 9, $line('GET /gone HTTP/1.1', 404)),
            ...array_fill(0, 9, 'no line of a log'),
            $line('GET /news/6 HTTP/1.1', 200),
        ];
        $hottest = new HottestPages(NewsSite::describe('/srv'));
        self::assertSame(['/news/5', '/news/4', '/list?page=2', '/news/6'], $hottest->of($asked, 10));
        self::assertSame(['/news/5', '/news/4'], $hottest->of($asked, 2));
    }

    public function testOfTooManyPagesTheHottestAreKept(): void
    {
        $lines = [];
        for ($page = 1; $page <= 1000; ++$page) {
            foreach ($page > 3 ? ["/news/$page"] : array_fill(0, 20, "/news/$page") as $uri) {
                $lines[] = "::1 - - [23/Nov/2026:09:00:00 +0000] \"GET $uri HTTP/1.1\" 200 1";
            }
        }
        $hottest = (new HottestPages(NewsSite::describe('/srv'), 20))->of($lines, 3);
        self::assertSame(['/news/1', '/news/2', '/news/3'], $hottest);
    }

    /** @return Requests&object{begun: array<string, float>, most: int} */
    private static function requests(SteppedClock $clock, float $takes): Requests
    {
        return new class ($clock, $takes) implements Requests {
            /** @var array<string, float> when, by URI */
            public array $begun = [];

            /** At a time. */
            public int $most = 0;

            /** @var array<string, float> when they end, by URI */
            private array $running = [];

            public function __construct(private SteppedClock $clock, private float $takes) {}

            public function start(string $uri): void
            {
                $this->begun[$uri] = $this->clock->seconds;
                $this->running[$uri] = $this->clock->seconds + $this->takes;
                $this->most = max($this->most, \count($this->running));
            }

            public function wait(?float $seconds): array
            {
                $first = $this->running === [] ? PHP_FLOAT_MAX : min($this->running);
                $until = $seconds === null ? $first : min($first, $this->clock->seconds + $seconds);
                // A sleep of the system never ends early.
                $this->clock->seconds = max($this->clock->seconds, $until) + 0.0001;
                $ended = [];
                foreach ($this->running as $uri => $end) {
                    if ($end <= $this->clock->seconds) {
                        unset($this->running[$uri]);
                        $ended[] = new Answer($uri, Outcome::Made, 200);
                    }
                }

                return $ended;
            }
        };
    }
}
