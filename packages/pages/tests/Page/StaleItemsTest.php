<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Closure;
use Larder\Page\Area;
use Larder\Page\MemcachedPageStore;
use Larder\Page\PagePath;
use Larder\Page\Response;
use Larder\Page\StaleAreas;
use Larder\Page\StaleItems;
use Larder\Sql\Ledger\RegisteredPage;
use Larder\Testbed\Net\Exchange;
use Larder\Testbed\Net\ProxiedConnection;
use Larder\Testbed\Net\Proxy;
use Larder\Testbed\Net\ProxyTraffic;
use Larder\Testbed\Process\WorkerPool;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** On a real server. Its clock is told by the seconds that an item has left, as the server says them. */
#[CoversClass(MemcachedPageStore::class)]
#[CoversClass(StaleItems::class)]
final class StaleItemsTest extends TestCase
{
    private const PREFIX = 'test/site';

    private TemporaryDirectory $directory;
    private Memcached $memcached;
    private MemcachedPageStore $store;
    private ?WorkerPool $proxy = null;
    private int $generation = 1;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        $this->memcached = new Memcached($this->directory->path, socket: true);
        $this->store = $this->open();
        $this->store->begin('life', 1, 'r1');
    }

    protected function tearDown(): void
    {
        $this->proxy?->killAll();
        $this->memcached->stop();
        $this->directory->remove();
    }

    public function testAChangedPageIsKeptForItsSecondsAndOthersAreNot(): void
    {
        $pages = array_map(fn(int $id): RegisteredPage => $this->published("/news/$id", "text $id"), range(1, 70));
        $pages[] = $this->published('/now/4', 'now');
        $pages[] = $this->published('/caf%C3%A9', 'text');
        $this->store->outdate($pages);
        foreach ($pages as $page) {
            self::assertNull($this->store->read(self::page($page->page), false));
            $kept = $this->store->stale(self::page($page->page), false)?->bytes;
            self::assertSame($page->page === '/now/4' ? null : 'text', $kept === null ? null : substr($kept, 0, 4));
        }
        self::assertSame('text 7', $this->store->stale(self::page('/news/7'), false)?->bytes);
        $left = $this->left('~w/news/7');
        self::assertGreaterThan(0, $left);
        self::assertLessThanOrEqual(100, $left);
        self::assertNull($this->left('~w/now/4'));
    }

    public function testAPageThatWasReplacedOrMadeRoomIsNotKept(): void
    {
        $this->store->drop([$this->published('/news/4', 'old')]);
        self::assertNull($this->store->stale(self::page('/news/4'), false));
    }

    public function testOneWhoMakesItLetsNginxServeItForNoLonger(): void
    {
        $page = self::page('/news/4');
        self::assertFalse($this->store->claim($page));
        $this->store->outdate([$this->published('/news/4', 'old')]);
        self::assertTrue($this->store->claim($page));
        self::assertLessThan($this->left('~w/news/4'), $this->left('~m/news/4'));
        self::assertSame($this->value('~w/news/4'), $this->value('~m/news/4'));
        $this->store->giveBack($page);
        self::assertNull($this->left('~m/news/4'));
        self::assertNotNull($this->store->stale($page, true));

        $this->store->claim($page);
        $this->published('/news/4', 'new');
        self::assertSame([null, null], [$this->left('~m/news/4'), $this->left('~w/news/4')]);
        self::assertSame('new', $this->store->read($page, false)?->bytes);
    }

    /** While it is made, the data changes again: there is a stub and no page, and the old one's time goes on. */
    public function testASecondChangeDoesNotProlongIt(): void
    {
        $registered = $this->published('/news/4', 'old');
        $this->store->outdate([$registered]);
        $this->ask('ms ' . self::PREFIX . "~w/news/4 3 T20\r\nold\r\n");
        $this->store->acquire('/news/4');
        $this->open(1000)->outdate([$registered]);
        self::assertSame('old', $this->value('~w/news/4'));
        self::assertLessThanOrEqual(20, $this->left('~w/news/4'));
    }

    /** It is killed, and its packet is still on the way when another one has changed the page and committed. */
    public function testThePacketOfALateWriterBeginsNoTimeAnew(): void
    {
        $registered = $this->published('/news/4', 'old');
        $late = $this->through('ms ' . self::PREFIX . '~w', fn() => $this->open(10)->outdate([$registered]), 1000);
        $late->outdate([$registered]);

        self::assertLessThanOrEqual(10, $this->left('~w/news/4'));
        self::assertNotSame('', $this->value('~w/news/4'));
    }

    /** It was stopped for longer than its stub lives, so what it read of the time left is not so any more. */
    public function testALateMakerLetsNginxServeNothing(): void
    {
        $page = self::page('/news/4');
        $this->store->outdate([$this->published('/news/4', 'old')]);
        $end = fn() => $this->ask('md ' . self::PREFIX . "~m/news/4\r\n");
        self::assertFalse($this->through('ms ' . self::PREFIX . '~m', $end, 100)->claim($page));
        self::assertNull($this->left('~m/news/4'));
        $this->ask('mg ' . self::PREFIX . "~m/news/4 N0\r\n");
        self::assertTrue($this->store->claim($page));
    }

    public function testTheStubOfAMakerLivesShorterThanWhatIsTakenOff(): void
    {
        $this->store->outdate([$this->published('/news/4', 'old')]);
        $look = fn() => file_put_contents($this->directory->path . '/stub', (string) $this->left('~m/news/4'));
        self::assertTrue($this->through('ms ' . self::PREFIX . '~m', $look, 100)->claim(self::page('/news/4')));
        $stub = (int) file_get_contents($this->directory->path . '/stub');
        self::assertContains($stub, [1, 2]);
        self::assertGreaterThan($stub + 1, (int) $this->left('~w/news/4') - (int) $this->left('~m/news/4'));
    }

    /** Its renderer was killed right after it had published the new one, which a change then ends. */
    public function testAnOlderOneIsNotServedAfterANewerOne(): void
    {
        $this->ask('ms ' . self::PREFIX . "~m/news/4 3 T50\r\nold\r\n");
        $this->store->outdate([$this->publishedBeside('/news/4')]);
        self::assertNull($this->left('~m/news/4'));
        self::assertNotNull($this->left('~w/news/4'));
    }

    public function testAFlushEndsThem(): void
    {
        foreach ([fn() => $this->store->begin('life', 9, 'r1'), fn() => $this->store->clear()] as $end) {
            $this->store->outdate([$this->published('/news/4', 'old')]);
            $this->store->claim(self::page('/news/4'));
            self::assertNotNull($this->left('~m/news/4'));
            $end();
            self::assertSame([null, null], [$this->left('~m/news/4'), $this->left('~w/news/4')]);
        }
    }

    public function testAPageWithTheLongestKeyIsKept(): void
    {
        $store = new MemcachedPageStore($this->servers(), str_repeat('p', 248 - 7), areas: $this->areas(100));
        $store->begin('life', 1, 'r1');
        $registered = $this->published('/news/4', 'old', $store);
        $store->outdate([$registered]);
        self::assertTrue($store->claim(self::page('/news/4')));
        self::assertSame('old', $store->stale(self::page('/news/4'), false)?->bytes);
    }

    private function areas(int $seconds): StaleAreas
    {
        return new StaleAreas([new Area('/now'), new Area('/', stale: $seconds)]);
    }

    private function open(int $seconds = 100): MemcachedPageStore
    {
        return new MemcachedPageStore($this->servers(), self::PREFIX, areas: $this->areas($seconds));
    }

    /** @return non-empty-list<string> */
    private function servers(): array
    {
        return ['unix:' . $this->memcached->endpoint()->socket];
    }

    /**
     * A store whose packet with this text arrives only after something else has happened.
     *
     * @param Closure(): mixed $before
     */
    private function through(string $text, Closure $before, int $seconds): MemcachedPageStore
    {
        $traffic = new class ($text, $before) implements ProxyTraffic {
            /** @param Closure(): mixed $before */
            public function __construct(private string $text, private Closure $before) {}

            public function opened(ProxiedConnection $connection): void {}

            public function request(ProxiedConnection $connection, string $bytes): string
            {
                if (str_contains($bytes, $this->text)) {
                    ($this->before)();
                }

                return $bytes;
            }

            public function reply(ProxiedConnection $connection, string $bytes): string
            {
                return $bytes;
            }

            public function closed(ProxiedConnection $connection): void {}
        };
        $proxy = new Proxy('unix://' . $this->memcached->endpoint()->socket, $traffic);
        $this->proxy?->killAll();
        $this->proxy = new WorkerPool(static fn() => $proxy->serve());
        $this->proxy->start(0);
        $proxy->close();

        return new MemcachedPageStore(["127.0.0.1:$proxy->port"], self::PREFIX, areas: $this->areas($seconds));
    }

    private function published(string $key, string $body, ?MemcachedPageStore $store = null): RegisteredPage
    {
        $store ??= $this->store;
        $draft = $store->draft(self::page($key), new Response(200, ['content-type' => ['text/html']], $body));
        $store->stamp($draft, ++$this->generation);
        self::assertTrue($store->publish($draft, $this->generation));

        return new RegisteredPage($key, $draft->name, 'r1');
    }

    /** By one who dies before it ends the stale page. */
    private function publishedBeside(string $key): RegisteredPage
    {
        return $this->published($key, 'new', new MemcachedPageStore($this->servers(), self::PREFIX));
    }

    /** @return int|null seconds; null: there is no such item */
    private function left(string $key): ?int
    {
        return preg_match('/^HD t(-?\d+)/', $this->ask('mg ' . self::PREFIX . "$key t\r\n"), $found) === 1
            ? (int) $found[1]
            : null;
    }

    private function value(string $key): string
    {
        $answer = $this->ask('mg ' . self::PREFIX . "$key v\r\n");

        return substr($answer, (int) strpos($answer, "\r\n") + 2, -\strlen("\r\nMN\r\n"));
    }

    private function ask(string $commands): string
    {
        $address = 'unix://' . $this->memcached->endpoint()->socket;

        return (string) Exchange::with($address, $commands . "mn\r\n", "MN\r\n");
    }

    private static function page(string $key): PagePath
    {
        $page = PagePath::of($key);
        self::assertNotNull($page);

        return $page;
    }
}
