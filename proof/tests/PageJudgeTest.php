<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Larder\Proof\Pages\ItemState;
use Larder\Proof\Pages\PageJudge;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** The judge finds what is wrong, or "0 stale" would mean nothing, and it blames no right page. */
#[CoversClass(PageJudge::class)]
#[CoversClass(ItemState::class)]
final class PageJudgeTest extends TestCase
{
    /** @return iterable<string, array{string, string, ItemState, ItemState}> */
    public static function right(): iterable
    {
        $still = new ItemState(5, 'hot-a', 2);
        $next = new ItemState(6, 'hot-b', 3);
        yield 'the item as it is' => ['/news/7', '[7:5] [7#1] [7#2]', $still, $still];
        yield 'before the change in between' => ['/news/7', '[7:5] [7#2]', $still, $next];
        yield 'after the change in between' => ['/news/7', '[7:6] [7#3]', $still, $next];
        yield 'no comments' => ['/news/7', '[7:5]', new ItemState(5, 'hot-a', 0), new ItemState(5, 'hot-a', 0)];
        yield 'its category' => ['/category/hot-a', '[7:5]', $still, $still];
        yield 'another category' => ['/category/hot-b', '', $still, $still];
        yield 'still in the old category' => ['/category/hot-a', '[7:5]', $still, $next];
        yield 'no more in the old category' => ['/category/hot-a', '', $still, $next];
        yield 'already in the new category' => ['/feed/hot-b', '[7:6]', $still, $next];
        yield 'not yet in the new category' => ['/feed/hot-b', '', $still, $next];
        yield 'the front page' => ['/', '[7:5]', $still, $still];
        yield 'a page of another item' => ['/news/8', '', $still, $still];
    }

    /** @return iterable<string, array{string, string, ItemState, ItemState, string}> */
    public static function wrong(): iterable
    {
        $still = new ItemState(5, 'hot-a', 2);
        $next = new ItemState(6, 'hot-b', 3);
        yield 'stale' => [
            '/news/7',
            '[7:4] [7#2]',
            $still,
            $still,
            '/news/7 shows version 4 of item 7, but 5 was committed',
        ];
        yield 'stale, in a list' => ['/category/hot-a', '[7:4]', $still, $still, 'shows version 4'];
        yield 'stale, in the feed' => ['/feed', '[7:4]', $still, $next, 'shows version 4'];
        yield 'stale, with the right version beside it' => [
            '/feed',
            '[7:5] [7:4] [7:5]',
            $still,
            $still,
            'shows version 4',
        ];
        yield 'stale, where the item is no more' => [
            '/category/hot-a',
            '[7:5]',
            $next,
            $next,
            'shows version 5 of item 7, but 6',
        ];
        yield 'never committed' => ['/news/7', '[7:7] [7#3]', $still, $next, 'which was not committed: 6 is'];
        yield 'missing from its own page' => ['/news/7', '', $still, $still, 'lacks item 7'];
        yield 'missing from its own page while it changed' => ['/news/7', '', $still, $next, 'lacks item 7'];
        yield 'missing from its list' => ['/category/hot-a', '[8:1]', $still, $still, 'lacks item 7'];
        yield 'missing from its feed' => ['/feed/hot-a', '', $still, $still, 'lacks item 7'];
        yield 'missing from the front page' => ['/', '', $still, $next, 'lacks item 7'];
        yield 'on a wrong list' => ['/category/hot-b', '[7:5]', $still, $still, 'shows item 7, which is in hot-a'];
        yield 'in a wrong feed' => ['/feed/hot-c', '[7:5]', $still, $still, 'shows item 7, which is in hot-a'];
        yield 'on the page of another item' => ['/news/8', '[7:5]', $still, $still, 'shows item 7'];
        yield 'a comment is missing' => [
            '/news/7',
            '[7:5] [7#1]',
            $still,
            $still,
            'shows comment 1 of item 7, but 2 to 2 were committed',
        ];
        yield 'all comments are missing' => ['/news/7', '[7:5]', $still, $still, 'shows comment 0'];
        yield 'a comment too many' => [
            '/news/7',
            '[7:5] [7#4]',
            $still,
            $next,
            'shows comment 4 of item 7, but 2 to 3',
        ];
    }

    #[DataProvider('right')]
    public function testBlamesNoRightPage(string $uri, string $text, ItemState $before, ItemState $after): void
    {
        self::assertNull(PageJudge::of($uri, $text, [7 => $before], [7 => $after]));
    }

    #[DataProvider('wrong')]
    public function testFindsWhatIsWrong(
        string $uri,
        string $text,
        ItemState $before,
        ItemState $after,
        string $verdict,
    ): void {
        self::assertStringContainsString($verdict, (string) PageJudge::of($uri, $text, [7 => $before], [7 => $after]));
    }

    /** @return iterable<string, array{string, string, string|null}> each with release 5 deployed and write 3 flushed */
    public static function marks(): iterable
    {
        yield 'as it must be' => ['/news/7', '[written:3] [release:000005]', null];
        yield 'newer' => ['/feed', '[written:4] [written:9] [release:000006]', null];
        yield 'no items to show a write' => ['/feed/hot-a', '[release:000005]', null];
        yield 'a page without the template' => ['/', '[written:3]', null];
        yield 'old code' => ['/feed/hot-a', '[written:3] [release:000004]', 'is of release 4, but 5 was deployed'];
        yield 'code without a release' => ['/news/7', '[written:3]', 'is of release -1, but 5'];
        yield 'one item from before the flush' => ['/', '[written:3] [written:2]', 'shows write 2, but 3 was flushed'];
    }

    #[DataProvider('marks')]
    public function testFindsOldCodeAndWhatAFlushLeft(string $uri, string $text, ?string $wrong): void
    {
        $found = PageJudge::ofMarks($uri, $text, 5, 3);
        self::assertSame($wrong === null, $found === null);
        self::assertStringContainsString((string) $wrong, (string) $found);
    }

    public function testFindsTheOneAmongMany(): void
    {
        $states = $pages = [];
        for ($id = 1; $id <= 20; ++$id) {
            $states[$id] = new ItemState(10 + $id, 'hot-a', 0);
            $pages[] = \sprintf('<a href="/news/%d">[%d:%d]</a>', $id, $id, $id === 13 ? 22 : 10 + $id);
        }

        self::assertSame(
            '/feed shows version 22 of item 13, but 23 was committed',
            PageJudge::of('/feed', implode("\n", $pages), $states, $states),
        );
    }
}
