<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use DateTimeImmutable;
use DateTimeZone;
use Larder\Page\Area;
use Larder\Page\NginxConfig;
use Larder\Page\Query;
use Larder\Page\TimeBucket;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Http\Response;
use Larder\Testbed\Site\StandIn;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** Pages that end by the clock. The servers' clock is in a zone that is not UTC by whole hours. */
#[CoversClass(NginxConfig::class)]
#[CoversClass(TimeBucket::class)]
final class NginxBucketTest extends TestCase
{
    private const ZONE = '+05:30';

    private static ?StandIn $standIn = null;

    public static function setUpBeforeClass(): void
    {
        $areas = array_map(static fn(int $ttl): Area => new Area('/every/' . $ttl, ttl: $ttl), Area::TTLS);
        self::$standIn = new StandIn(
            $areas,
            [new Query('/every/\d+', ['q' => '[a-z]+'])],
            environment: ['TZ' => 'IST-5:30'],
        );
    }

    public static function tearDownAfterClass(): void
    {
        self::$standIn?->remove();
        self::$standIn = null;
    }

    /** @return iterable<string, array{int, string}> ttl, what follows its area's prefix */
    public static function uris(): iterable
    {
        foreach (Area::TTLS as $ttl) {
            foreach (['', '/', '/foo', '?q=foo'] as $rest) {
                yield $ttl . ' s' . $rest => [$ttl, $rest];
            }
        }
    }

    #[DataProvider('uris')]
    public function testNginxLooksWhereTheBucketSaysAndTellsPhpTheSame(int $ttl, string $rest): void
    {
        $standIn = $this->standIn();
        $uri = '/every/' . $ttl . $rest;
        $before = self::bucket($ttl, 0);
        $key = StandIn::told(Connection::ask($standIn->address, 'GET', $uri))['LARDER_PAGE'];
        $after = self::bucket($ttl, 0);

        self::assertContains($key, ['/@' . $before . $uri, '/@' . $after . $uri]);
        self::assertMatchesRegularExpression('~^/@[0-9T:.+-]{3,40}/~', $key);

        // A busy machine may take long to ask.
        $buckets = array_map(static fn(int $ahead): string => self::bucket($ttl, $ahead), range(-1, 60));
        foreach (array_unique($buckets) as $bucket) {
            $standIn->place('/@' . $bucket . $uri, 'the page of now');
        }
        self::assertSame('the page of now', Connection::ask($standIn->address, 'GET', $uri)->body);
        $standIn->place('/@' . self::bucket($ttl, -2 * $ttl) . '/every/' . $ttl . '/past', 'the page of before');
        self::assertSame(
            '/@',
            substr(
                self::text(StandIn::told(
                    Connection::ask($standIn->address, 'GET', '/every/' . $ttl . '/past'),
                )['LARDER_PAGE']),
                0,
                2,
            ),
        );
    }

    /**
     * The keyed location reads the body before it hands anything to PHP: more than a second after nginx looked for the
     * page.
     */
    public function testTheBucketIsTheSameThroughoutARequest(): void
    {
        $address = $this->standIn()->address;
        $before = self::bucket(1, 0);
        $raw = self::inTwo(
            $address,
            "GET /every/1/slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nConnection: close\r\n\r\n",
            'x',
            1.3,
        );

        $key = self::text(StandIn::told(Response::parse($raw))['LARDER_PAGE']);

        self::assertContains(
            $key,
            [
                '/@' . $before . '/every/1/slow',
                '/@' . (new TimeBucket(1))->of(new DateTimeImmutable('-1 second', new DateTimeZone(self::ZONE)))
                    . '/every/1/slow',
            ],
        );
        self::assertNotSame('/@' . self::bucket(1, 0) . '/every/1/slow', $key);
    }

    public function testABucketCannotBeAskedForByAClient(): void
    {
        $standIn = $this->standIn();
        foreach ([-7200, 0] as $ahead) {
            $key = '/@' . self::bucket(3600, $ahead) . '/every/3600/private';
            $standIn->place($key, 'the page of some hour');
            $told = StandIn::told(Connection::ask($standIn->address, 'GET', $key));

            self::assertSame([$key, ''], [$told['REQUEST_URI'], $told['LARDER_PAGE']]);
        }
    }

    private static function bucket(int $ttl, int $ahead): string
    {
        return (new TimeBucket($ttl))->of(
            (new DateTimeImmutable('now', new DateTimeZone(self::ZONE)))->modify(\sprintf('%+d seconds', $ahead)),
        );
    }

    private static function text(mixed $value): string
    {
        self::assertIsString($value);

        return $value;
    }

    /** What comes back for these bytes until the server hangs up; with later bytes after a pause. */
    private static function inTwo(string $address, string $request, string $later, float $pause): string
    {
        $stream = stream_socket_client('tcp://' . $address, timeout: 5);
        self::assertNotFalse($stream);
        stream_set_timeout($stream, 5);
        fwrite($stream, $request);
        usleep((int) ($pause * 1e6));
        fwrite($stream, $later);
        $answer = (string) stream_get_contents($stream);
        fclose($stream);

        return $answer;
    }

    private function standIn(): StandIn
    {
        self::assertNotNull(self::$standIn);

        return self::$standIn;
    }
}
