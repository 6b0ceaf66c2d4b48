<?php

declare(strict_types=1);

namespace Larder\Tests\Edge;

use Larder\Dependency\Name;
use Larder\Edge\EdgeHeaders;
use Larder\Edge\EdgeKeys;
use Larder\Edge\Exception\InvalidEdge;
use Larder\Edge\VarnishEdge;
use Larder\Sql\Ledger\AnnouncedChange;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

#[CoversClass(EdgeHeaders::class)]
#[CoversClass(EdgeKeys::class)]
final class EdgeKeysTest extends TestCase
{
    /**
     * @param list<string> $page   names
     * @param list<string> $change names
     */
    #[TestWith([['news:4', 'news!'], ['news:4', 'news'], true])]
    #[TestWith([['news:4', 'news!'], ['news:5', 'news'], false])]
    #[TestWith([['news:4', 'news!'], ['news!'], true])]
    #[TestWith([['news:1', 'news:2', 'news:3', 'news!', 'user!'], ['news:9'], true], 'a table of many names')]
    #[TestWith([['news:1', 'news:2', 'news:3', 'news!', 'user!'], ['user?team=1'], true], 'the other table')]
    #[TestWith([['news:1', 'news:2', 'news:3', 'news!', 'user!'], ['comment:1'], false])]
    #[TestWith([['a!', 'b!', 'c!', 'd!', 'e!'], ['f:1'], true], 'too many tables: any change')]
    #[TestWith([['#front', '#b', '#c', '#d'], ['#front'], true], 'words')]
    #[TestWith([['#front', '#b'], ['#other'], false])]
    public function testAChangePurgesThePagesMadeFromItsNames(array $page, array $change, bool $isPurged): void
    {
        $keys = new EdgeKeys('news');
        $carried = $keys->ofPage('/x', $page, 3);
        $purged = $keys->ofChange(new AnnouncedChange(array_map(Name::of(...), $change), []));

        self::assertSame($isPurged, array_intersect($carried, $purged) !== []);
        self::assertLessThanOrEqual(5, \count($carried));
    }

    public function testAChangePurgesThePagesThatItDropped(): void
    {
        $keys = new EdgeKeys('news');

        self::assertSame(['news:/a'], $keys->ofChange(new AnnouncedChange([], ['/a'])));
        self::assertContains($keys->page('/a'), $keys->ofPage('/a', [], 3));
        self::assertNotContains($keys->page('/a'), $keys->ofPage('/a/b', [], 3));
    }

    public function testWhatCannotBeTakenApartPurgesTheSite(): void
    {
        $keys = new EdgeKeys('news');
        $many = array_map(static fn(int $id): string => "/news/$id", range(1, 2001));

        self::assertSame(['news:'], $keys->ofChange(new AnnouncedChange([], null)));
        self::assertSame(['news:'], $keys->ofChange(new AnnouncedChange([], $many)));
        self::assertContains('news:', $keys->ofPage('/x', ['news:4'], 3));
    }

    public function testTwoSitesShareNoKey(): void
    {
        $names = ['news:4', 'news!'];
        $shared = array_intersect(
            (new EdgeKeys('news'))->ofPage('/x', $names, 3),
            (new EdgeKeys('blog'))->ofPage('/x', $names, 3),
        );

        self::assertSame([], $shared);
    }

    #[TestWith(['Cache-Control', 'Surrogate-Control', 60, 9])]
    #[TestWith(['Surrogate-Key', 'cache-control', 60, 9])]
    #[TestWith(['Surrogate Key', 'Surrogate-Control', 60, 9])]
    #[TestWith(['Surrogate-Key', "X\r\nY", 60, 9])]
    #[TestWith(['Same', 'same', 60, 9])]
    #[TestWith(['Surrogate-Key', 'Surrogate-Control', 0, 9])]
    #[TestWith(['Surrogate-Key', 'Surrogate-Control', 60, 0])]
    public function testHeadersThatCannotBeAreRefused(string $keys, string $control, int $seconds, int $most): void
    {
        $this->expectException(InvalidEdge::class);
        $this->expectExceptionMessage('edgeHeaders: ');
        new EdgeHeaders($keys, $control, $seconds, $most);
    }

    /** A tag with a comma would be two at the edge, and its purge one that nobody has. */
    public function testATagHasNoComma(): void
    {
        self::assertSame([',', false, true], [
            (new EdgeHeaders('Cache-Tag'))->separator(),
            (new EdgeHeaders('cache-tag'))->takes('/a,b'),
            (new EdgeHeaders())->takes('/a,b'),
        ]);
    }

    #[TestWith(['varnish'])]
    #[TestWith(["127.0.0.1:6081\r\n"])]
    #[TestWith(['127.0.0.1:0'])]
    public function testAServerHasHostAndPort(string $server): void
    {
        $this->expectException(InvalidEdge::class);
        new VarnishEdge([$server]);
    }

    #[TestWith([''])]
    #[TestWith(['fifteen-letters'])]
    #[TestWith(["a secret\"; with VCL"])]
    #[TestWith(["sixteen-letters-and\r\nHost: evil"])]
    public function testASecretGoesIntoAHeaderAndIntoVcl(string $secret): void
    {
        $this->expectException(InvalidEdge::class);
        new VarnishEdge(['127.0.0.1:6081'], 1000, $secret);
    }
}
