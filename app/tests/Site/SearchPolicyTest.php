<?php

declare(strict_types=1);

namespace App\Tests\Site;

use App\Controller\SearchLive;
use App\Controller\SearchPage;
use App\Controller\SearchResult;
use App\Controller\SearchTimed;
use App\SearchPolicy;
use Larder\Metrics\FileCounters;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** A search page, of which nobody knows beforehand whose items it shows, under each policy. */
#[CoversClass(SearchLive::class)]
#[CoversClass(SearchPage::class)]
#[CoversClass(SearchPolicy::class)]
#[CoversClass(SearchResult::class)]
#[CoversClass(SearchTimed::class)]
final class SearchPolicyTest extends TestCase
{
    private const URI = '/search/winter';

    private const CROWD = 30;

    private ?LiveSite $site = null;

    protected function tearDown(): void
    {
        $this->site?->stop();
    }

    /**
     * @return iterable<string, array{array<string, string>, string|null, string|null}> environment, Cache-Status of the
     *     first visit, of the second
     */
    public static function current(): iterable
    {
        $live = 'larder; fwd=bypass; detail="App\\\\Controller\\\\SearchLive declares no #[Reads]"';
        yield 'none' => [['APP_SEARCH' => 'none'], $live, $live];
        yield 'ids' => [['APP_SEARCH' => 'ids'], $live, $live];
        yield 'ids, and no page of the site is kept' => [
            ['APP_SEARCH' => 'ids', 'APP_PAGES_CACHE' => 'off'],
            null,
            null,
        ];
        yield 'exact' => [['APP_SEARCH' => 'exact'], 'larder; fwd=miss; stored', 'larder; hit'];
    }

    /** @param array<string, string> $environment */
    #[DataProvider('current')]
    public function testAnEditShowsAtOnce(array $environment, ?string $first, ?string $second): void
    {
        $this->site = $site = LiveSite::example($environment);
        $miss = $site->get(self::URI);
        $again = $site->get(self::URI);
        self::assertSame(
            [$first, $second, $miss->body],
            [$miss->header('Cache-Status'), $again->header('Cache-Status'), $again->body],
        );
        $shown = self::shown($miss->body);
        self::assertGreaterThan(2, \count($shown));

        $this->edit($shown[1], 'winter and summer', 'quite another summary');
        $edited = $site->get(self::URI)->body;
        self::assertSame($shown, self::shown($edited), 'The item is still on the list.');
        self::assertStringContainsString('quite another summary', $edited);
        self::assertStringContainsString('quite another summary', $site->get('/news/' . $shown[1])->body);

        $this->edit($shown[0], 'no such herb', 'gone from here');
        self::assertSame(
            \array_slice($shown, 1),
            self::shown($site->get(self::URI)->body),
            'The first item has lost the word.',
        );
        self::assertSame([$shown[0]], self::shown($site->get('/search/herb')->body));

        self::assertSame(303, $site->post("/news/{$shown[1]}/comment", ['author' => 'Ida', 'text' => 'first'])->status);
        self::assertStringContainsString('1 comment<', $site->get(self::URI)->body);
    }

    public function testATtlIsStaleForNoLongerAndMadeOncePerExpiry(): void
    {
        $this->site = $site = LiveSite::example(['APP_SEARCH' => 'ttl'], workers: 8);
        [$old, $item] = $this->freshPage();
        $this->edit($item, 'winter', 'this summary is new');
        $edited = microtime(true);

        $moments = [self::moment($old) => true];
        $isShown = false;
        do {
            $age = microtime(true) - $edited;
            $visits = Visitors::get($site->address, self::URI, self::CROWD);
            foreach ($visits as ['answer' => $answer]) {
                self::assertSame(200, $answer->status);
                $moments[self::moment($answer->body)] = true;
                $isShown = str_contains($answer->body, 'this summary is new');
                self::assertTrue($isShown || $age < SearchPolicy::TTL, 'Whoever comes after the ttl sees the edit.');
            }
            usleep(50_000);
            // Of a period in which the machine stood still, nobody has seen the page.
            $isEnough = $age > 2.2 * SearchPolicy::TTL && \count($moments) > 2;
        } while (!$isEnough && $age < 60.0);

        self::assertTrue($isShown, 'The edit shows at last.');
        self::assertGreaterThanOrEqual(3, \count($moments));
        self::assertSame(
            \count($moments),
            (new FileCounters($site->site->pages . '/counters'))->all()[
                'larder_page_requests_total{result="stored"}'
            ] ?? 0,
            'One page for all visitors of each period.',
        );
    }

    /**
     * At the beginning of a period, so that the edit comes well before its end.
     *
     * @return array{string, int} its body, an item on it
     */
    private function freshPage(): array
    {
        self::assertNotNull($this->site);
        usleep((int) ((SearchPolicy::TTL - fmod(microtime(true), SearchPolicy::TTL) + 0.1) * 1e6));
        $body = $this->site->get(self::URI)->body;

        return [$body, self::shown($body)[0]];
    }

    private function edit(int $item, string $title, string $summary): void
    {
        $site = $this->site;
        self::assertNotNull($site);
        $category = $site->configuration->connect()
            ->run('SELECT category FROM news WHERE id = ?', [$item])
            ->fetchColumn();
        self::assertIsString($category);
        self::assertSame(
            303,
            $site->post(
                "/news/$item/edit",
                ['title' => $title, 'summary' => $summary, 'body' => 'B.', 'category' => $category],
            )->status,
        );
    }

    /** @return list<int> items in the order of the list */
    private static function shown(string $body): array
    {
        preg_match_all('~<h2><a href="/news/(\d+)">~', $body, $matches);

        return array_map(intval(...), $matches[1]);
    }

    /** When the page was made, as it says. */
    private static function moment(string $body): string
    {
        self::assertSame(1, preg_match('~as they stood at (\d\d:\d\d:\d\d) UTC~', $body, $matches));

        return $matches[1];
    }
}
