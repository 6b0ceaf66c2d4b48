<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Page\Pages;
use Larder\Page\RefusalCause;
use Larder\Page\Response;
use Larder\Sql\Ledger\Publication;
use Larder\Tests\Support\NewsSite;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** Each reason that the library gives has a cause with a remedy of its own. */
#[CoversClass(RefusalCause::class)]
final class RefusalCauseTest extends TestCase
{
    /** @return iterable<string, array{string, \Closure(NewsSite): Response}> */
    public static function renders(): iterable
    {
        $html = ['content-type' => ['text/html; charset=utf-8']];
        $ofAnswer = [
            'output' => static fn(): Response => new Response(200, $html, 'x', isWhole: false),
            'status' => static fn(): Response => new Response(500, $html, 'x'),
            'size' => static fn(): Response => new Response(200, $html, str_repeat('x', (2 << 20) + 1)),
            'cookie' => static fn(): Response => new Response(200, $html + ['set-cookie' => ['a=b']], 'x'),
            'header' => static fn(): Response => new Response(200, $html + ['x-a' => ['b']], 'x'),
            'type' => static fn(): Response => new Response(200, ['content-type' => ['text/plain']], 'x'),
        ];
        foreach ($ofAnswer as $cause => $make) {
            yield $cause => [$cause, $make];
        }
        yield 'empty' => ['status', static fn(): Response => new Response(200, $html, '')];
        yield 'private' => ['header', static fn(): Response => new Response(200, $html + [
            'cache-control' => ['private'],
        ], 'x')];
        $reading = static fn(string $sql): \Closure => static function (NewsSite $news) use ($sql): Response {
            $news->database->query($sql);

            return NewsSite::html('x');
        };
        yield 'undeclared' => ['undeclared', $reading('SELECT release FROM larder_ledger')];
        yield 'clock' => ['clock', $reading("SELECT datetime('now') FROM news")];
        $nested = 'WITH one AS (SELECT id FROM news), two AS (WITH x AS (SELECT 1) SELECT 1) SELECT id FROM one';
        yield 'statement' => ['statement', $reading($nested)];
    }

    /** @param \Closure(NewsSite): Response $make */
    #[DataProvider('renders')]
    public function testARefusedRenderIsCountedByItsCause(string $cause, \Closure $make): void
    {
        $news = new NewsSite();
        try {
            $news->get('/news/4', static fn(): Response => $make($news));
            $news->get('/news/4', static fn(): Response => $make($news));
            $reason = Pages::of($news->site)->refusals()->of('/news/4');
            $counts = Pages::of($news->site)->counters()->all();
        } finally {
            $news->remove();
        }

        self::assertNotNull($reason);
        self::assertSame($cause, RefusalCause::of($reason['reason'])->value, $reason['reason']);
        self::assertSame(2, $reason['times']);
        self::assertSame(2, $counts["larder_page_refusals_total{cause=\"$cause\"}"] ?? null);
    }

    /** @return iterable<string, array{string, string}> */
    public static function reasons(): iterable
    {
        yield from [
            'exit' => ['ended', 'the script ended inside the render, by exit() or by an error'],
            'body' => ['request', 'the render read the request body, which the key does not hold'],
            'ttl' => ['clock', 'it contains a value, and that ends 1.5 s before the page would'],
            'no reads' => ['controller', 'App\A declares no #[Reads]'],
            'unlisted' => ['controller', 'App\A is not in the list of controllers: add it and run larder deploy'],
            'no release' => ['deploy', 'no release is deployed: run larder deploy'],
            'not deployed' => ['deploy', '2 files of the code changed since larder deploy, such as a.php'],
            'area' => ['deploy', 'App\A and its area /a differ in ttl'],
            'echo' => ['output', 'output came before the page'],
            'beside' => ['output', 'output was sent beside the answer'],
            'session' => ['cookie', 'a session was started'],
            'key' => ['size', 'its key has 260 bytes, more than 250'],
            'ledger' => ['store', 'the ledger could not be read: gone'],
            'store' => ['store', 'The page store failed to write /a: No space left on device'],
            'application' => ['other', 'the shop does not want it'],
        ];
        foreach (Publication::cases() as $case) {
            $cause = match ($case) {
                Publication::OtherRelease, Publication::OtherPlace => 'deploy',
                Publication::Full => 'room',
                Publication::NotDurable => 'store',
                // These pass by themselves, and are no refusals.
                Publication::Stored, Publication::Changed, Publication::Busy => null,
            };
            if ($cause !== null) {
                yield $case->name => [$cause, $case->value];
            }
        }
    }

    #[DataProvider('reasons')]
    public function testAReasonHasItsCause(string $cause, string $reason): void
    {
        self::assertSame($cause, RefusalCause::of($reason)->value);
    }

    public function testRemediesAreDifferent(): void
    {
        $remedies = array_map(static fn(RefusalCause $cause): string => $cause->remedy(), RefusalCause::cases());

        self::assertCount(\count($remedies), array_unique($remedies));
    }
}
