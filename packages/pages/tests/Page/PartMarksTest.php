<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Closure;
use Larder\Page\HostKey;
use Larder\Page\Part;
use Larder\Page\Parts;
use Larder\Page\Response;
use Larder\Page\Site;
use Larder\Page\Storage;
use Larder\Page\Urls;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** A mark of another page, as out of a cache, keeps a page from being stored; a text that looks like one does not. */
#[CoversClass(HostKey::class)]
#[CoversClass(Parts::class)]
final class PartMarksTest extends TestCase
{
    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testOnlyAMarkOfThisHostIsOfAnotherPage(): void
    {
        $site = $this->site([]);
        $other = (new Parts($site))->include('box');
        $refusal = 'it has the mark of a part from another page: a piece of HTML came from a cache';
        $with = static fn(string $text): Closure => static fn(Parts $parts): string => $parts->include('box') . $text;
        self::assertSame($refusal, self::refusal($site, $with($other)));
        self::assertSame($refusal, self::refusal($site, static fn(): string => $other));
        foreach ([
            '<!--larder:' . str_repeat('0', 64) . ':box-->', '<!--larder:' . bin2hex(random_bytes(32)) . ':box-->',
            str_replace(substr($other, 50, 8), '00000000', $other), '<!--larder:' . str_repeat('0', 32) . ':box-->',
        ] as $text) {
            self::assertNull(self::refusal($site, $with($text)), $text);
        }
        self::assertSame(0o600, fileperms($this->directory->path . '/host-key') & 0o777);
    }

    /** A piece of HTML in a cache that hosts share may have the mark of another one. */
    public function testWhereHostsShareTheirPagesEachMarkMayBeOne(): void
    {
        $text = '<!--larder:' . str_repeat('0', 64) . ':box-->';
        self::assertNotNull(self::refusal($this->site(['unix:/run/mc.sock']), static fn(): string => $text));
    }

    public function testWithoutAKeyEachMarkMayBeOne(): void
    {
        $text = '<!--larder:' . str_repeat('0', 64) . ':box-->';
        file_put_contents($this->directory->path . '/host-key', 'damaged');
        self::assertNotNull(self::refusal($this->site([]), static fn(): string => $text));
    }

    /** @param Closure(Parts): string $make */
    private static function refusal(Site $site, Closure $make): ?string
    {
        $parts = new Parts($site);
        $reads = new RecordedReads(new Registry());
        $parts->page($reads, static fn(): Response => new Response(200, [], $make($parts)));

        return $reads->refusal();
    }

    /** @param list<string> $memcached */
    private function site(array $memcached): Site
    {
        return new Site(
            name: 'news',
            hosts: ['localhost'],
            pages: $this->directory->path,
            list: '/srv/list.php',
            controllers: [],
            connect: static fn(): never => self::fail('Nobody connects.'),
            urls: new Urls(parts: [new Part('box')]),
            storage: new Storage(memcached: $memcached),
        );
    }
}
