<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Dependency\RecordingPdo;
use Larder\Page\PageNote;
use Larder\Page\PageRequest;
use Larder\Page\Pages;
use Larder\Page\Renderer;
use Larder\Page\Response;
use Larder\Proof\Support\NewsController;
use Larder\Proof\Support\NewsSite;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(PageNote::class)]
#[CoversClass(Renderer::class)]
final class PageNoteTest extends TestCase
{
    public function testThePageSaysFromWhatItWasMadeAndWhatItReadCannotEndTheComment(): void
    {
        $news = new NewsSite();
        $site = NewsSite::describe($news->directory->path, notes: true);
        $database = Pages::of($site)->connect();
        self::assertInstanceOf(RecordingPdo::class, $database);
        $cache = Pages::of($site)->pageCache($database);
        $make = static function () use ($database): Response {
            foreach (['net', '--><script>', 'a--b--!>c'] as $category) {
                $database->select('SELECT id FROM news WHERE category = ?', [$category]);
            }

            return NewsSite::html('<p>page');
        };
        $answer = $cache->answer(new PageRequest('GET', '/news/4', false), NewsController::class, $make);
        $stored = (string) file_get_contents($site->pages . '/current/news/4~page');
        $feed = $cache->answer(new PageRequest('GET', '/feed/x', false), NewsController::class, static fn(): Response
            => new Response(200, ['content-type' => ['application/rss+xml; charset=utf-8']], '<rss/>'));
        $news->remove();

        self::assertSame('larder; fwd=miss; stored', $answer->header('cache-status'));
        self::assertSame($stored, $answer->body);
        self::assertSame((string) \strlen($stored), $answer->header('content-length'));
        self::assertSame(1, preg_match('/^<p>page\n<!-- larder (.*) -->\n$/D', $stored, $found));
        self::assertDoesNotMatchRegularExpression('/--/', $found[1]);
        $note = json_decode($found[1], true, flags: JSON_THROW_ON_ERROR);
        self::assertIsArray($note);
        self::assertIsArray($note['from']);
        self::assertContains('news?category=net', $note['from']);
        self::assertNotSame([], preg_grep('/script/', $note['from']));
        self::assertSame([0, null], [$note['more'], $note['ttl']]);
        self::assertSame('<rss/>', $feed->body, 'only HTML has such comments');
    }
}
