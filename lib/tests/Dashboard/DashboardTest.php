<?php

declare(strict_types=1);

namespace Larder\Tests\Dashboard;

use Larder\Dashboard\Dashboard;
use Larder\Dashboard\Visit;
use Larder\Page\Response;
use Larder\Page\Sample;
use Larder\Tests\Support\NewsSite;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(Dashboard::class)]
#[CoversClass(Sample::class)]
final class DashboardTest extends TestCase
{
    private NewsSite $news;

    protected function setUp(): void
    {
        $this->news = new NewsSite();
    }

    protected function tearDown(): void
    {
        $this->news->remove();
    }

    public function testThePageNeedsNothingFromElsewhereAndRunsOnlyItsOwnScript(): void
    {
        $dashboard = Dashboard::of($this->news->site);
        $page = $dashboard->answer(self::visit([]));
        $policy = (string) $page->header('content-security-policy');

        self::assertSame(200, $page->status);
        self::assertSame(1, preg_match("/script-src 'nonce-([^']+)';/", $policy, $found));
        self::assertSame(2, substr_count($page->body, 'nonce="' . $found[1] . '"'), 'one script, one style');
        $elsewhere = '~src=|href="(?!#|data:,)|https?://(?!www\.w3\.org/2000/svg)| style=~';
        self::assertDoesNotMatchRegularExpression($elsewhere, $page->body);
        self::assertStringNotContainsString('innerHTML', $page->body);
        self::assertSame('no-store', $page->header('cache-control'));
        self::assertNotSame($page->body, $dashboard->answer(self::visit([]))->body, 'a nonce is used once');
    }

    public function testItTellsTheNumbersAndThePagesWithTheirNames(): void
    {
        $this->news->get('/news/4');
        $this->news->get('/news/5', static fn(): Response => new Response(500, [], 'x'));
        $now = $this->ask(['see' => 'now']);

        self::assertIsArray($now['counters']);
        self::assertSame(1, $now['counters']['larder_page_requests_total{result="stored"}']);
        self::assertSame(['larder_pages' => 1], array_intersect_key((array) $now['gauges'], ['larder_pages' => 1]));
        self::assertSame(['/news/5'], array_column((array) $now['refusals'], 'page'));
        [$page] = (array) $this->ask(['see' => 'pages', 'like' => '/news/'])['pages'];
        self::assertIsArray($page);
        self::assertSame('/news/4', $page['key']);
        self::assertIsArray($page['from']);
        self::assertContains('news:4', $page['from']);
        self::assertSame([], $this->ask(['see' => 'pages', 'like' => '/none'])['pages']);
    }

    public function testItOnlyReads(): void
    {
        $dashboard = Dashboard::of($this->news->site);

        foreach (['POST', 'PUT', 'DELETE', ''] as $method) {
            self::assertSame(405, $dashboard->answer(self::visit(['see' => 'now'], $method))->status);
        }
        self::assertSame(404, $dashboard->answer(self::visit(['see' => 'flush']))->status);
        self::assertSame(404, $dashboard->answer(self::visit(['see' => ['now']]))->status);
    }

    /**
     * @param array<string, string> $query
     *
     * @return array<array-key, mixed>
     */
    private function ask(array $query): array
    {
        $answer = Dashboard::of($this->news->site)->answer(self::visit($query));
        self::assertSame('application/json', $answer->header('content-type'));
        $values = json_decode($answer->body, true, flags: JSON_THROW_ON_ERROR);
        self::assertIsArray($values);

        return $values;
    }

    /** @param array<string, mixed> $query */
    private static function visit(array $query, string $method = 'GET'): Visit
    {
        return new Visit($method, $query, ['host' => 'localhost'], address: '127.0.0.1');
    }
}
