<?php

declare(strict_types=1);

namespace App\Tests\Http;

use App\Application;
use App\Configuration;
use App\Controller\CategoriesPage;
use App\Controller\CategoryPage;
use App\Controller\Feed;
use App\Controller\FindPage;
use App\Controller\FrontPage;
use App\Controller\ItemPage;
use App\Controller\NotFound;
use App\Controller\SearchForm;
use App\Controller\SearchPage;
use App\Http\Kernel;
use App\Http\Route;
use App\Http\RouteMatch;
use App\Http\Router;
use App\Http\Views;
use DOMDocument;
use LogicException;
use Nyholm\Psr7\ServerRequest;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(Application::class)]
#[CoversClass(Configuration::class)]
#[CoversClass(Kernel::class)]
#[CoversClass(Route::class)]
#[CoversClass(Router::class)]
#[CoversClass(RouteMatch::class)]
#[CoversClass(Views::class)]
#[CoversClass(FrontPage::class)]
#[CoversClass(ItemPage::class)]
#[CoversClass(CategoryPage::class)]
#[CoversClass(CategoriesPage::class)]
#[CoversClass(Feed::class)]
#[CoversClass(SearchPage::class)]
#[CoversClass(FindPage::class)]
#[CoversClass(SearchForm::class)]
#[CoversClass(NotFound::class)]
final class RoutesTest extends TestCase
{
    private InProcess $site;

    protected function setUp(): void
    {
        $this->site = new InProcess();
        $id = 0;
        for ($i = 1; $i <= 26; ++$i) {
            $id = $this->site->item(['title' => 'jar: number ' . $i]);
        }
        $this->site->comment($id, 'seen');
        $this->site->database->exec("INSERT INTO word (word, news_id) VALUES ('jar', $id)");
    }

    protected function tearDown(): void
    {
        $this->site->remove();
    }

    /** @return iterable<string, array{string, int, 2?: string}> */
    public static function uris(): iterable
    {
        $answers = [
            '/' => 200,
            '/news/1' => 200,
            '/news/26' => 200,
            '/news/1/edit' => 200,
            '/categories' => 200,
            '/category/glass' => 200,
            '/category/glass?page=2' => 200,
            '/search' => 422,
            '/search/jar' => 200,
            '/search/none' => 200,
            '/find/a-body' => 200,
            '/find/nothing-at-all' => 200,
            '/news/27' => 404,
            '/news/0' => 404,
            '/news/01' => 404,
            '/news/1/' => 404,
            '/news/1/x.css' => 404,
            '/news/1234567890' => 404,
            '/news/27/edit' => 404,
            '/news/1/comment' => 200,
            '/category/none' => 404,
            '/category/Glass' => 404,
            '/category/glass?page=3' => 404,
            '/category/glass?page=1' => 404,
            '/category/glass?page=0' => 404,
            '/category/glass?page=02' => 404,
            '/category/glass?page=-1' => 404,
            '/category/glass?page=1000' => 404,
            '/category/glass?page=x' => 404,
            '/category/glass?page=' => 404,
            '/category/glass?page[]=2' => 404, '/category/glass?page=99999999999999999999' => 404, '/feed/none' => 404,
            '/search/a' => 404,
            '/search/Jar' => 404,
            '/find/a--b' => 404,
            '/find/' . str_repeat('x', 61) => 404,
            '/nope' => 404,
            '/%3Cscript%3E' => 404,
        ];
        foreach ($answers as $uri => $status) {
            yield $uri => [$uri, $status];
        }
        yield '/feed' => ['/feed', 200, Feed::TYPE];
        yield '/feed/glass' => ['/feed/glass', 200, Feed::TYPE];
    }

    #[DataProvider('uris')]
    public function testAnswers(string $uri, int $status, string $type = 'text/html; charset=utf-8'): void
    {
        $response = $this->site->get($uri);

        self::assertSame([$status, $type], [$response->getStatusCode(), $response->getHeaderLine('Content-Type')]);
        self::assertNotSame('', (string) $response->getBody());
        if (!str_starts_with($uri, '/find/')) {
            self::assertSame(
                (string) $response->getBody(),
                (string) $this->site->get($uri)->getBody(),
                'no page but those with a ttl holds a time',
            );
        }
    }

    public function testOtherMethodsThanTheRoutesAreNotFound(): void
    {
        self::assertSame(404, $this->site->post('/news/1', [])->getStatusCode());
        self::assertSame(404, $this->site->get('/news/1', 'DELETE')->getStatusCode());
        self::assertSame(200, $this->site->get('/news/1', 'HEAD')->getStatusCode());
    }

    public function testAListShowsItsPageAndTheWayToTheNext(): void
    {
        $first = (string) $this->site->get('/category/glass')->getBody();
        $second = (string) $this->site->get('/category/glass?page=2')->getBody();

        self::assertSame(
            [25, 1],
            [
                preg_match_all('~<h2><a href="/news/\d+">~', $first),
                preg_match_all('~<h2><a href="/news/\d+">~', $second),
            ],
        );
        self::assertStringContainsString('<a rel="next" href="/category/glass?page=2">', $first);
        self::assertStringNotContainsString('rel="prev"', $first);
        self::assertStringContainsString('<a rel="prev" href="/category/glass">', $second);
        self::assertStringNotContainsString('rel="next"', $second);
        self::assertStringContainsString('<a href="/news/26#comments">1 comment</a>', $first);
    }

    /** @return iterable<string, array{string, int, string}> */
    public static function searches(): iterable
    {
        yield 'one word' => ['Jar', 303, '/search/jar'];
        yield 'a phrase' => [' Jar,  of glass! ', 303, '/find/jar-of-glass'];
        yield 'too long a word' => [str_repeat('x', 31), 303, '/find/' . str_repeat('x', 31)];
        yield 'too long a phrase' => [str_repeat('ab ', 40), 303, '/find/' . rtrim(str_repeat('ab-', 20), '-')];
        yield 'one letter' => ['a', 422, ''];
        yield 'no letter' => ['“—”', 422, ''];
        yield 'nowhere else' => ['//evil.example/', 303, '/find/evil-example'];
        yield 'no header' => ["a\r\nX: y", 303, '/find/a-x-y'];
    }

    #[DataProvider('searches')]
    public function testTheSearchBoxLeadsToTheCanonicalPage(string $for, int $status, string $location): void
    {
        $response = $this->site->get('/search?for=' . rawurlencode($for));
        self::assertSame([$status, $location], [$response->getStatusCode(), $response->getHeaderLine('Location')]);
        if ($location !== '') {
            self::assertSame(200, $this->site->get($location)->getStatusCode());
        }
        self::assertSame(422, $this->site->get('/search?for[]=x')->getStatusCode());
    }

    public function testTextsStandOnPagesAsTheyAreAndRunNothing(): void
    {
        $bad = '<script>alert("1")</script> & \'x\' {{ 7 * 7 }}';
        $id = $this->site->item(['title' => $bad, 'summary' => $bad, 'body' => $bad . "\n- " . $bad, 'author' => $bad]);
        $this->site->comment($id, $bad, $bad);
        $pages = ['/news/' . $id, '/', '/category/glass', '/news/' . $id . '/edit', '/feed'];
        foreach ($pages as $uri) {
            $body = (string) $this->site->get($uri)->getBody();
            self::assertStringNotContainsString('<script', $body, $uri);
            self::assertStringContainsString('&lt;script&gt;', $body, $uri);
        }
        self::assertStringContainsString('{{ 7 * 7 }}', (string) $this->site->get('/news/' . $id)->getBody());
    }

    public function testParagraphsAndListsAreShownAsSuch(): void
    {
        $id = $this->site->item(['body' => "First.\n\nHas:\n- jam\n- tea\n\nLast\nlines."]);

        self::assertMatchesRegularExpression(
            '~<p>First\.</p>\s*<p>Has:</p>\s*<ul>\s*<li>jam</li>\s*<li>tea</li>\s*</ul>\s*<p>Last<br />\s*lines\.</p>~',
            (string) $this->site->get('/news/' . $id)->getBody(),
        );
    }

    public function testTheFeedIsXmlThatShowsTheNewestItems(): void
    {
        $id = $this->site->item(['title' => 'a < b & "c" \'d\' ]]>', 'category' => 'tin']);
        $this->site->comment($id, 'x');
        foreach (['/feed' => 25, '/feed/tin' => 1] as $uri => $items) {
            $document = new DOMDocument();
            self::assertTrue($document->loadXML((string) $this->site->get($uri)->getBody()));
            self::assertSame($items, $document->getElementsByTagName('item')->length);
            self::assertSame('a < b & "c" \'d\' ]]>', $document->getElementsByTagName('title')->item(1)?->textContent);
            self::assertSame(
                'http://pantry.example/news/' . $id,
                $document->getElementsByTagName('guid')->item(0)?->textContent,
            );
            self::assertSame(
                'http://pantry.example' . $uri,
                $document->getElementsByTagNameNS('http://www.w3.org/2005/Atom', 'link')
                    ->item(0)
                    ?->getAttribute('href'),
            );
            self::assertSame(
                '1',
                $document->getElementsByTagNameNS(
                    'http://purl.org/rss/1.0/modules/slash/',
                    'comments',
                )->item(0)?->textContent,
            );
        }
    }

    public function testPagesAreWellFormedWithoutScriptAndWithTheirIdsOnce(): void
    {
        foreach ([
            '/', '/news/26', '/news/26/edit', '/category/glass', '/categories', '/search/jar', '/find/a-body', '/nope',
        ] as $uri) {
            $body = (string) $this->site->get($uri)->getBody();
            $previous = libxml_use_internal_errors(true);
            (new DOMDocument())->loadHTML($body);
            // libxml knows HTML 4: it does not know the names of newer elements, but it knows what is not closed.
            $errors = array_filter(libxml_get_errors(), static fn(\LibXMLError $error): bool => $error->code !== 801);
            libxml_clear_errors();
            libxml_use_internal_errors($previous);

            self::assertSame([], array_map(static fn(\LibXMLError $error): string => $error->message, $errors), $uri);
            self::assertStringNotContainsString('<script', $body);
            preg_match_all('/ id="([^"]+)"/', $body, $ids);
            self::assertSame(array_unique($ids[1]), $ids[1], $uri);
        }
    }

    /** So each #[Reads] names every table that the page reads, and no page looks at what its key does not hold. */
    public function testAPartIsNoPageAlsoWhereNoNginxStandsInFront(): void
    {
        foreach (['/@larder/part/box/latest', '/%40larder/part/visitor/fields', '//@larder/part/box/latest'] as $uri) {
            $answer = $this->site->get($uri);
            self::assertSame([404, 'There is no such page.'], [
                $answer->getStatusCode(),
                trim((string) $answer->getBody()),
            ]);
        }
    }

    public function testEveryExactPageIsStored(): void
    {
        $site = new InProcess(cache: true);
        for ($i = 0; $i < 26; ++$i) {
            $site->comment($site->item(), 'x');
        }
        $site->database->exec("INSERT INTO word (word, news_id) VALUES ('jar', 1)");
        $told = [];
        foreach ([
            '/', '/news/1', '/category/glass', '/category/glass?page=2', '/categories', '/feed', '/feed/glass',
            '/search/jar', '/search/none',
        ] as $uri) {
            $told[$uri] = $site->get($uri, key: $uri)->getHeaderLine('Cache-Status');
        }
        $told['/nope'] = $site->get('/nope', key: '/nope')->getHeaderLine('Cache-Status');
        $told['/news/1/edit'] = $site->get('/news/1/edit', key: '/news/1/edit')->getHeaderLine('Cache-Status');
        $site->remove();

        self::assertSame(
            ['larder; fwd=miss; stored'],
            array_values(array_unique(\array_slice($told, 0, -2))),
            var_export($told, true),
        );
        self::assertStringContainsString('bypass', $told['/nope']);
        self::assertStringContainsString('bypass', $told['/news/1/edit']);
    }

    public function testAMistakeInTheCodeIsNoAnswer(): void
    {
        $this->expectException(LogicException::class);
        (new Kernel([], static fn(): never => throw new LogicException('never asked')))->handle(
            new ServerRequest('GET', '/'),
        );
    }
}
