<?php

declare(strict_types=1);

namespace Larder\Testing;

use Larder\Page\Draft;
use Larder\Page\PagePath;
use Larder\Page\PageStore;
use Larder\Page\Response;
use Larder\Sql\Exception\PageStoreFailed;
use Larder\Sql\Ledger\RegisteredPage;
use LogicException;
use PHPUnit\Framework\TestCase;

/**
 * What every page store must do, so that no order of the ledger's steps leaves a stale page: a test of PHPUnit to
 * extend, for a store of your own too.
 *
 * Each test has two handles on one place, which open() makes. They stand for two processes, of two hosts where the
 * store is for many. All pages of the place are removed.
 */
abstract class PageStoreContract extends TestCase
{
    private const LIFE = 'one-life';

    private PageStore $store;
    private PageStore $other;

    /** A further handle on the place of this test, with nothing shared but the place. */
    abstract protected function open(): PageStore;

    protected function setUp(): void
    {
        $this->store = $this->open();
        $this->other = $this->open();
        $this->store->begin(self::LIFE, 1, 'r1');
    }

    public function testAPageIsReadByAllAsItWasMade(): void
    {
        $draft = $this->drafted('/news/4', 'text');
        self::assertNull($this->other->read(self::page('/news/4'), false), 'A draft is no page.');
        self::assertTrue($this->store->publish($draft, 2));
        foreach ([false, true] as $gzip) {
            $page = $this->other->read(self::page('/news/4'), $gzip);
            self::assertNotNull($page);
            self::assertEquals($this->store->made($draft, 2, $gzip), $page);
            self::assertSame('text', $gzip ? gzdecode($page->bytes) : $page->bytes);
        }
        self::assertNull($this->other->read(self::page('/news/5'), false));
    }

    /** As far as it says that it keeps them; else nginx serves each page with the same. */
    public function testAHitHasTheHeadOfThePage(): void
    {
        $answer = new Response(404, ['content-type' => ['text/plain'], 'x-name' => ['a', 'b']], 'none');
        $draft = $this->store->draft(self::page('/none'), $answer);
        $this->store->stamp($draft, 2);
        self::assertTrue($this->store->publish($draft, 2));
        $page = $this->other->read(self::page('/none'), false);
        self::assertNotNull($page);
        self::assertSame(
            $this->store->keepsHeads() ? [404, $answer->headers] : [200, []],
            [$page->status, $page->headers],
        );
    }

    /** Where it keeps no heads, the key has the status, and the body of a redirect is its Location. */
    public function testAnAnswerOfAnotherStatusIsKeptBesideThePageAndDropped(): void
    {
        $bodies = [404 => 'none', 410 => 'gone', 301 => '/a', 308 => 'https://b/?c'];
        foreach ($this->store->keepsHeads() ? [] : $bodies as $status => $body) {
            $key = self::page('/news/4')->answered($status);
            $drafts = array_map(function (int $generation) use ($key, $status, $body): Draft {
                $draft = $this->store->draft($key, new Response($status, [], $body));
                $this->store->stamp($draft, $generation);

                return $draft;
            }, [2, 3]);
            self::assertTrue($this->store->publish($drafts[0], 2));
            self::assertNull($this->other->read(self::page('/news/4'), false), 'It is no page.');
            foreach ([false, true] as $gzip) {
                $page = $this->other->read($key, $gzip);
                self::assertNotNull($page);
                self::assertEquals($this->store->made($drafts[0], 2, $gzip), $page);
                self::assertSame($body, $page->gzip ? gzdecode($page->bytes) : $page->bytes);
                self::assertSame([$status, $key->isRedirect()], [$page->at($key)->status, $page->etag === '']);
            }
            $this->other->drop(array_map(self::registered(...), $drafts));
            self::assertNull($this->store->read($key, false));
            self::assertFalse($this->store->publish($drafts[1], 3), 'A change was faster.');
            self::assertNull($this->other->read($key, false));
        }
        self::assertTrue($this->store->publish($this->drafted('/news/4', 'text'), 4));
        self::assertSame('text', $this->other->read(self::page('/news/4'), false)?->bytes);
    }

    public function testTwoVersionsOfOneLengthHaveOtherETags(): void
    {
        $etags = [];
        foreach ([2 => 'abcd', 3 => 'dcba'] as $generation => $body) {
            $this->store->publish($this->drafted('/news/4', $body, $generation), $generation);
            $etags[] = $this->other->read(self::page('/news/4'), false)?->etag;
            $etags[] = $this->other->read(self::page('/news/4'), true)?->etag;
        }

        self::assertCount(4, array_unique($etags));
    }

    public function testADropTakesThePageAndItsDraftAway(): void
    {
        $published = $this->drafted('/news/4', 'text');
        $waiting = $this->drafted('/list?page=2', 'text', 3);
        $this->store->publish($published, 2);
        $this->other->drop([self::registered($published), self::registered($waiting)]);

        self::assertNull($this->store->read(self::page('/news/4'), false));
        self::assertNull($this->store->read(self::page('/news/4'), true));
        self::assertFalse($this->store->publish($waiting, 3), 'Its renderer comes too late.');
        self::assertNull($this->store->read(self::page('/list?page=2'), false));
        $this->other->drop([self::registered($published)]);
    }

    public function testADropLeavesOthersAlone(): void
    {
        $left = array_map(fn(string $key): Draft => $this->drafted($key, $key), ['/news/44', '/news/4/x', '/']);
        $this->other->drop([self::registered($this->drafted('/news/4', 'text'))]);
        foreach ($left as $draft) {
            self::assertTrue($this->store->publish($draft, 2));
            self::assertSame($draft->page->key, $this->other->read($draft->page, false)?->bytes);
        }
    }

    /** Whoever lost the right to a key does not get it back when another one has it. */
    public function testADraftThatWasTakenAwayStaysSoWhenAnotherOneIsThere(): void
    {
        $late = $this->drafted('/news/4', 'old');
        $this->other->drop([self::registered($late)]);
        $new = $this->drafted('/news/4', 'new', 3, $this->other);

        self::assertFalse($this->store->publish($late, 2));
        $this->store->discard($late);
        self::assertTrue($this->other->publish($new, 3));
        self::assertFalse($this->store->publish($late, 2));
        self::assertSame('new', $this->store->read(self::page('/news/4'), false)?->bytes);
    }

    public function testADiscardedDraftIsNoPage(): void
    {
        $draft = $this->drafted('/news/4', 'text');
        $this->store->discard($draft);
        self::assertFalse($this->store->publish($draft, 2));
        self::assertNull($this->other->read(self::page('/news/4'), false));
    }

    public function testALifeEndsAllPagesAndDrafts(): void
    {
        foreach ([
            fn() => $this->other->begin('another-life', 9, 'r2'),
            function (): void {
                $this->store->clear();
                self::assertFalse($this->other->belong(self::LIFE, 9), 'No page may be published before a new life.');
            },
        ] as $end) {
            $this->store->begin(self::LIFE, 1, 'r1');
            $published = $this->drafted('/news/4', 'text');
            $waiting = $this->drafted('/news/5', 'text', 3);
            $this->store->publish($published, 2);
            $end();
            self::assertFalse($this->store->publish($waiting, 3));
            self::assertNull($this->store->read(self::page('/news/4'), false));
            self::assertNull($this->store->read(self::page('/news/5'), false));
        }
    }

    public function testPagesBelongToOneLifeThatHasReachedThem(): void
    {
        self::assertTrue($this->other->belong(self::LIFE, 1));
        self::assertFalse($this->other->belong('another-life', 1));
        $draft = $this->drafted('/news/4', 'text', 7);
        $this->store->belong(self::LIFE, 6);
        $this->store->publish($draft, 7);
        self::assertFalse($this->other->belong(self::LIFE, 6), 'The ledger was restored from a backup.');
        self::assertTrue($this->other->belong(self::LIFE, 7));
    }

    public function testItIsFoundAgainByItsPlace(): void
    {
        $draft = $this->drafted('/news/4', 'text');
        $this->store->publish($draft, 2);
        self::assertTrue($this->store->isThere());
        self::assertNotSame('', $this->store->place());
        $same = $this->store->at($this->store->place());
        self::assertSame($this->store->place(), $same->place());
        $same->drop([self::registered($draft)]);
        self::assertNull($this->store->read(self::page('/news/4'), false));
    }

    /** Of a store that nobody here knows, nothing could be dropped. */
    public function testAPlaceOfAnUnknownStoreIsRefused(): void
    {
        $this->expectException(PageStoreFailed::class);
        $this->store->at('a store that is none');
    }

    public function testManyPagesAreDroppedTogether(): void
    {
        $drafts = array_map(fn(int $id): Draft => $this->drafted("/news/$id", (string) $id), range(1, 200));
        foreach ($drafts as $draft) {
            self::assertTrue($this->store->publish($draft, 2));
        }
        $this->other->drop(array_map(self::registered(...), $drafts));
        foreach ($drafts as $draft) {
            self::assertNull($this->store->read($draft->page, false), $draft->page->key);
        }
    }

    protected static function page(string $key): PagePath
    {
        return PagePath::of($key) ?? throw new LogicException('It is canonical.');
    }

    /** A draft that is ready to be published, as the ledger leaves it. */
    protected function drafted(string $key, string $body, int $generation = 2, ?PageStore $store = null): Draft
    {
        $answer = new Response(200, ['content-type' => ['text/html; charset=utf-8']], $body);
        $store ??= $this->store;
        $draft = $store->draft(self::page($key), $answer);
        $store->stamp($draft, $generation);

        return $draft;
    }

    protected static function registered(Draft $draft): RegisteredPage
    {
        return new RegisteredPage($draft->page->key, $draft->name, 'r1');
    }
}
