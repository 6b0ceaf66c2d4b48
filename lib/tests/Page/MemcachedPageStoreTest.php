<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Exception\PageStoreFailed;
use Larder\Page\Draft;
use Larder\Page\MemcachedNodes;
use Larder\Page\MemcachedPageStore;
use Larder\Testbed\Net\Exchange;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\TemporaryDirectory;
use Larder\Testing\PageStoreContract;
use PHPUnit\Framework\Attributes\CoversClass;

#[CoversClass(MemcachedNodes::class)]
#[CoversClass(MemcachedPageStore::class)]
final class MemcachedPageStoreTest extends PageStoreContract
{
    private static TemporaryDirectory $directory;

    /** @var non-empty-list<Memcached> */
    private static array $memcached;

    public static function setUpBeforeClass(): void
    {
        self::$directory = new TemporaryDirectory();
        self::$memcached = array_map(
            static fn(int $server): Memcached => new Memcached(self::$directory->path . "/$server", socket: true),
            [1, 2],
        );
    }

    public static function tearDownAfterClass(): void
    {
        foreach (self::$memcached as $server) {
            $server->stop();
        }
        self::$directory->remove();
    }

    protected function open(): MemcachedPageStore
    {
        return new MemcachedPageStore(array_map(
            static fn(Memcached $server): string => 'unix:' . $server->endpoint()->socket,
            self::$memcached,
        ), 'test/site');
    }

    /**
     * A server that is started anew counts its CAS numbers from 1 again, so one of before may be that of another's
     * stub.
     */
    public function testADraftEndsWithTheServerThatHasIt(): void
    {
        $store = $this->open();
        $store->begin('life', 1, 'r1');
        $late = $this->drafted('/news/4', 'old', store: $store);
        $number = self::cas('test/site/news/4');
        foreach (self::$memcached as $server) {
            $server->kill();
            $server->restart();
        }
        $other = $this->open();
        $other->belong('life', 2);
        do {
            $new = $this->drafted('/news/4', 'new', 3, $other);
        } while ((int) self::cas('test/site/news/4') < (int) $number);
        self::assertSame($number, self::cas('test/site/news/4'));

        self::assertNull($store->read(self::page('/news/4'), false), 'It is connected again,');
        self::assertFalse($store->publish($late, 2), 'and this is another one\'s stub.');
        self::assertNull($other->read(self::page('/news/4'), false));
        self::assertTrue($other->publish($new, 3));
    }

    /** It has begun anew, or one that stands for it has. What it has, nobody knows. */
    public function testAServerThatDoesNotKnowWhosePagesItHasIsEmptied(): void
    {
        $store = $this->open();
        $store->begin('life', 1, 'r1');
        self::assertTrue($store->publish($this->drafted('/news/4', 'text', store: $store), 2));
        foreach (self::$memcached as $server) {
            self::ask($server, "delete test/site@\r\n");
        }
        self::assertTrue($store->belong('life', 2));
        self::assertNull($store->read(self::page('/news/4'), false));
        self::assertTrue($store->publish($this->drafted('/news/4', 'text', 3, $store), 3));
        self::assertTrue($store->belong('life', 3));
        self::assertNotNull($store->read(self::page('/news/4'), false));
    }

    public function testAServerThatDoesNotAnswerFailsWhatMustNotBeDoneByHalves(): void
    {
        $store = $this->open();
        $store->begin('life', 1, 'r1');
        $drafts = array_map(fn(int $id): Draft => $this->drafted("/news/$id", 'text', store: $store), range(1, 9));
        $steps = [
            fn() => $store->drop(array_map(self::registered(...), $drafts)),
            fn() => $store->clear(),
            fn() => $store->begin('another', 2, 'r1'),
        ];
        foreach (['kill', 'pause'] as $way) {
            self::$memcached[1]->kill();
            if ($way === 'pause') {
                self::$memcached[1]->restart();
                self::$memcached[1]->pause();
            }
            foreach ($steps as $step) {
                try {
                    $step();
                    self::fail('Its pages may be served.');
                } catch (PageStoreFailed $failed) {
                    self::assertStringContainsString('failed to reach', $failed->getMessage());
                }
            }
            self::assertTrue($store->isThere(), 'One of the servers is.');
        }
        // What the one that was stopped was told ends with it.
        self::$memcached[1]->kill();
        self::$memcached[1]->restart();
    }

    public function testOneOfAllMakesAPage(): void
    {
        $lease = $this->open()->acquire('/news/4');
        self::assertNotNull($lease);
        self::assertNull($this->open()->acquire('/news/4'));
        self::assertNotNull($this->open()->acquire('/news/5'));
        $lease->release();
        $second = $this->open()->acquire('/news/4');
        self::assertNotNull($second);
        $store = $this->open();
        self::assertTrue($store->publish($this->drafted('/news/4', 'text', store: $store), 2));
        $second->release();
        self::assertNull($this->open()->acquire('/news/4'), 'There is the page.');
        self::assertNotNull($this->open()->read(self::page('/news/4'), true));
    }

    public function testWhoHasTheLeaseDoesNotLookForThePageAndItsDraftEndsTheLease(): void
    {
        $store = $this->open();
        $lease = $store->acquire('/news/4');
        self::assertNotNull($lease);
        $gets = static fn(): int => array_sum(array_map(static function (Memcached $server): int {
            preg_match('/cmd_get (\d+)/', self::ask($server, "stats\r\nmn\r\n"), $found);

            return (int) ($found[1] ?? 0);
        }, self::$memcached));
        $before = $gets();
        self::assertNull($store->read(self::page('/news/4'), true));
        self::assertSame($before, $gets());
        $draft = $this->drafted('/news/4', 'text', store: $store);
        $cas = self::cas('test/site/news/4');
        $lease->release();
        self::assertSame($cas, self::cas('test/site/news/4'), 'It leaves the stub of the draft alone.');
        self::assertTrue($store->publish($draft, 2));
        self::assertNotNull($store->read(self::page('/news/4'), true));
    }

    private static function cas(string $key): string
    {
        foreach (self::$memcached as $server) {
            if (preg_match('/^HD c(\d+)/', self::ask($server, "mg $key c\r\nmn\r\n"), $found) === 1) {
                return $found[1];
            }
        }

        return '';
    }

    private static function ask(Memcached $server, string $commands): string
    {
        $end = str_ends_with($commands, "mn\r\n") ? "MN\r\n" : "\r\n";

        return (string) Exchange::with('unix://' . $server->endpoint()->socket, $commands, $end);
    }
}
