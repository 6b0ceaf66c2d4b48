<?php

declare(strict_types=1);

namespace Larder\Tests\Dashboard;

use Larder\Dashboard\Admission;
use Larder\Dashboard\Dashboard;
use Larder\Dashboard\Visit;
use Larder\Follow\State;
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
        $dashboard = Dashboard::of($this->news->site, self::all());
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

    public function testItTellsHowEachFollowerIs(): void
    {
        $directory = \dirname($this->news->site->pages) . '/follow';
        self::assertSame([], $this->ask(['see' => 'servers'])['followers']);
        self::assertSame(0, $this->ask(['see' => 'now'])['followers_down']);
        $told = fn(): array => array_intersect_key(
            (array) ((array) $this->ask(['see' => 'servers'], [$directory])['followers'])[0],
            ['directory' => 0, 'readable' => 0, 'running' => 0, 'well' => 0, 'name' => 0],
        );
        self::assertSame(
            ['directory' => $directory, 'readable' => false, 'running' => false, 'well' => false],
            $told(),
        );
        $state = new State($directory);
        $lock = $state->lock();
        $state->tell(['name' => 'one', 'at' => microtime(true), 'lag' => 0.1, 'max_lag' => 3600, 'failure' => null]);
        $well = ['directory' => $directory, 'readable' => true, 'running' => true, 'well' => true, 'name' => 'one'];
        self::assertSame($well, $told());
        self::assertSame(0, $this->ask(['see' => 'now'], [$directory])['followers_down']);
        self::assertIsResource($lock);
        fclose($lock);
        self::assertSame(['running' => false, 'well' => false], array_diff_assoc($told(), $well));
        self::assertSame(1, $this->ask(['see' => 'now'], [$directory])['followers_down']);
    }

    public function testItOnlyReads(): void
    {
        $dashboard = Dashboard::of($this->news->site, self::all());

        foreach (['POST', 'PUT', 'DELETE', ''] as $method) {
            self::assertSame(405, $dashboard->answer(self::visit(['see' => 'now'], $method))->status);
        }
        self::assertSame(404, $dashboard->answer(self::visit(['see' => 'flush']))->status);
        self::assertSame(404, $dashboard->answer(self::visit(['see' => ['now']]))->status);
    }

    /**
     * @param array<string, string> $query
     * @param list<string> $followers
     *
     * @return array<array-key, mixed>
     */
    private function ask(array $query, array $followers = []): array
    {
        $answer = Dashboard::of($this->news->site, self::all(), followers: $followers)->answer(self::visit($query));
        self::assertSame('application/json', $answer->header('content-type'));
        $values = json_decode($answer->body, true, flags: JSON_THROW_ON_ERROR);
        self::assertIsArray($values);

        return $values;
    }

    private static function all(): Admission
    {
        return Admission::by(static fn(): bool => true);
    }

    /** @param array<string, mixed> $query */
    private static function visit(array $query, string $method = 'GET'): Visit
    {
        return new Visit($method, $query, ['host' => 'localhost'], address: '127.0.0.1');
    }
}
