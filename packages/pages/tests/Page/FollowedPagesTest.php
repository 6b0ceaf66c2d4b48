<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Edge\VarnishEdge;
use Larder\Page\Exception\InvalidSite;
use Larder\Page\FollowedPages;
use Larder\Page\NginxConfig;
use Larder\Page\NginxTarget;
use Larder\Page\NginxTemplates;
use Larder\Page\Serving;
use Larder\Page\Site;
use Larder\Page\Storage;
use Larder\Sql\Exception\PageStoreFailed;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(FollowedPages::class)]
#[CoversClass(NginxConfig::class)]
#[CoversClass(NginxTemplates::class)]
final class FollowedPagesTest extends TestCase
{
    private TemporaryDirectory $scratch;

    private FollowedPages $pages;

    protected function setUp(): void
    {
        $this->scratch = new TemporaryDirectory();
        $this->pages = new FollowedPages($this->scratch->path);
    }

    protected function tearDown(): void
    {
        $this->scratch->remove();
    }

    public function testNoPageIsServedBeforeAFollowerSaysSo(): void
    {
        self::assertFalse($this->pages->areServed());
        $this->pages->serveUntil(time() + 60.5);
        self::assertTrue($this->pages->areServed());
        self::assertSame(realpath($this->scratch->path), realpath($this->pages->link(time())));
    }

    public function testThePromiseEndsWithTheSecondThatItWasGivenFor(): void
    {
        $end = time() + 60;
        $this->pages->serveUntil($end + 0.9);
        self::assertSame($end, max($this->seconds()));
        $this->pages->serveUntil($end - 10.0);
        self::assertSame($end - 10, max($this->seconds()));
        $this->pages->serveUntil(time() - 5.0);
        self::assertSame([], array_filter($this->seconds(), static fn(int $second): bool => $second > $end - 60));
        self::assertFalse($this->pages->areServed());
    }

    public function testWhatIsLeftOfAnotherClockIsRemoved(): void
    {
        $this->pages->serveUntil(time() + 5.0);
        foreach ([-1_000, 1_000] as $away) {
            symlink('..', $this->pages->link(time() + $away));
        }
        $this->pages->serveUntil(time() + 5.0);
        self::assertLessThanOrEqual(time() + 5, max($this->seconds()));
        self::assertGreaterThan(time() - 900, min($this->seconds()));
    }

    public function testADirectoryThatMayNotBeWrittenIsNamed(): void
    {
        $this->expectException(PageStoreFailed::class);
        $this->expectExceptionMessage($this->scratch->path . '/none/followed');

        (new FollowedPages($this->scratch->path . '/none'))->serveUntil(time() + 5.0);
    }

    public function testASiteThatIsNotFollowedHasNoTraceOfIt(): void
    {
        foreach ([[], ['127.0.0.1:11211']] as $memcached) {
            self::assertStringNotContainsString('_second', $this->configuration($memcached, false));
            self::assertStringContainsString('/followed/$larder_news_second', $this->configuration($memcached, true));
        }
    }

    public function testAnEdgeCannotBeEndedByADeadFollower(): void
    {
        $this->expectException(InvalidSite::class);
        $this->expectExceptionMessage('followed: what an edge keeps');

        new Site('news', ['localhost'], '/run/pages', '/var/list', [], self::fail(...), serving: new Serving(
            edge: new VarnishEdge(
                ['127.0.0.1:6081'],
            ),
            followed: true,
        ));
    }

    /** @param list<string> $memcached */
    private function configuration(array $memcached, bool $followed): string
    {
        $site = new Site(
            'news',
            ['localhost'],
            '/run/pages',
            '/var/list',
            [],
            self::fail(...),
            storage: new Storage(memcached: $memcached, patience: 2_000),
            serving: new Serving(followed: $followed),
        );

        return (new NginxConfig($site, new NginxTarget(['8080'], '/run/php.sock', '/srv/index.php')))->whole();
    }

    /** @return non-empty-list<int> that have a link; -1 if there is none */
    private function seconds(): array
    {
        $names = array_diff((array) scandir(\dirname($this->pages->link(0))), ['.', '..']);

        return $names === [] ? [-1] : array_map(intval(...), array_values($names));
    }
}
