<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Console\PageExplanation;
use Larder\Dashboard\Why;
use Larder\Page\ContextSecrets;
use Larder\Page\Flush;
use Larder\Page\Pages;
use Larder\Page\Site;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Http\Response;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Tests\Support\PartsSite;
use PHPUnit\Framework\Attributes\DataProvider;

/** Pages with parts over real nginx and php-fpm; each store of pages is a class of its own. */
abstract class PartsCase extends ServedPartsCase
{
    private static Database $database;

    private RecordingPdo $writer;

    public static function setUpBeforeClass(): void
    {
        self::serve(PartsSite::class, static function (string $home, array $memcached): Site {
            mkdir($home . '/noted');
            self::$database = Database::start(self::kind(), $home . '/data');
            PartsSite::store($home, self::$database);
            ContextSecrets::renew($home . '/secrets', true, null);
            chmod($home . '/secrets', 0o644);

            return PartsSite::site($home, $memcached);
        }, static function (RecordingPdo $writer): array {
            $long = self::kind() === DatabaseKind::MariaDb ? 'LONGTEXT' : 'TEXT';
            $writer->exec("CREATE TABLE news (id INTEGER PRIMARY KEY, title $long)");
            $writer->exec(match (self::kind()) {
                DatabaseKind::Sqlite => 'CREATE TABLE comment (id INTEGER PRIMARY KEY, news_id INTEGER)',
                DatabaseKind::MariaDb
                    => 'CREATE TABLE comment (id INTEGER PRIMARY KEY AUTO_INCREMENT, news_id INTEGER)',
                DatabaseKind::PostgreSql => 'CREATE TABLE comment (id SERIAL PRIMARY KEY, news_id INTEGER)',
            });

            return [...self::$database->writable(), self::$directory->path . '/noted'];
        });
    }

    public static function tearDownAfterClass(): void
    {
        self::$running->stop();
        self::$database->stop();
        parent::tearDownAfterClass();
    }

    protected function setUp(): void
    {
        $writer = self::writer();
        $writer->exec('DELETE FROM news');
        $writer->exec('DELETE FROM comment');
        $writer->exec("INSERT INTO news VALUES (4, 'four'), (5, 'five')");
        Pages::of(self::$site)->ledger($writer)->flush();
        // A writer that was there before a flush drops all pages with its first change after it.
        $this->writer = self::writer();
        $this->made();
        @unlink(self::$directory->path . '/noted/log');
    }

    public function testAChangeOfAPartsDataMakesThatPartAnewAndThePageStaysAHit(): void
    {
        $page = static fn(string $title, int $comments): string => '<h1>four</h1><p>latest: ' . $title . '</p><p>'
            . $comments . ' comments</p><p>You are nobody token</p><p>end</p>';
        $this->assertPage($page('five', 0), 'fwd=miss; stored', '/news/4');
        self::assertSame(['/news/4', 'box/count/4', 'box/latest', 'login'], $this->made());
        $this->assertPage($page('five', 0), 'hit', '/news/4');
        self::assertSame(['login'], $this->made());

        $this->writer->exec("UPDATE news SET title = 'new' WHERE id = 5");
        $this->assertPage($page('new', 0), 'hit', '/news/4');
        self::assertSame(['box/latest', 'login'], $this->made());

        $this->writer->exec('INSERT INTO comment (news_id) VALUES (4)');
        $this->assertPage($page('new', 1), 'hit', '/news/4');
        self::assertSame(['box/count/4', 'login'], $this->made());

        $this->writer->exec('INSERT INTO comment (news_id) VALUES (5)');
        $this->assertPage($page('new', 1), 'hit', '/news/4');
        self::assertSame(['login'], $this->made());
    }

    public function testTheUriOfAPageWithPartsIsExplainedAndFlushed(): void
    {
        $this->get('/shared/4');
        $ledger = Pages::of(self::$site)->ledger($this->writer);
        $explained = (new PageExplanation(self::$site, $ledger))->of('/shared/4')->values;
        self::assertTrue($explained['stored']);
        self::assertIsArray($explained['pages']);
        self::assertSame(['/@shell/shared/4'], array_column($explained['pages'], 'key'));
        self::assertSame([['news!', 'news:4']], array_column($explained['pages'], 'made_from'));
        $stored = (new Why(self::$site, $ledger))->of('/shared/4')['stored'];
        self::assertIsArray($stored);
        self::assertSame(['news!', 'news:4'], $stored['from']);
        self::assertSame(['name' => 'news:4', 'pages' => ['/shared/4']], (new Flush($ledger))->page('/shared/4'));
        self::assertNotContains('/@shell/shared/4', $this->kept());
        self::assertNull((new Flush($ledger))->page('/shared/4'));
    }

    public function testTheFirstVisitorGetsTheSameBytesAndHitsNeedNoPhp(): void
    {
        $miss = $this->get('/shared/4');
        $requests = self::$running->php->requests();
        $hit = $this->get('/shared/4');
        self::assertSame($requests, self::$running->php->requests());
        self::assertSame([200, '<h1>four</h1><p>latest: five</p>'], [$hit->status, $hit->body]);
        self::assertSame(['larder; fwd=miss; stored', 'larder; hit'], [
            $miss->header('cache-status'),
            $hit->header('cache-status'),
        ]);
        $beside = ['date' => 0, 'cache-status' => 0];
        self::assertSame(array_diff_key($miss->headers, $beside), array_diff_key($hit->headers, $beside));
        self::assertSame($miss->body, $hit->body);
        self::assertSame('text/html; charset=utf-8', $hit->header('content-type'));
        self::assertSame('private, no-cache', $hit->header('cache-control'));
        self::assertSame('Accept-Encoding', $hit->header('vary'));
        foreach (['etag', 'last-modified', 'content-length', 'accept-ranges'] as $header) {
            self::assertNull($hit->header($header), $header);
        }
    }

    public function testAPrivatePartIsOfItsVisitorAndNeverKept(): void
    {
        $of = static fn(string $who): string => '<h1>four</h1><p>latest: five</p><p>0 comments</p><p>You are ' . $who
            . ' token</p><p>end</p>';
        foreach (['/open/4' => 'hit', '/news/4' => 'fwd=bypass'] as $uri => $status) {
            $this->get($uri);
            foreach (['ann', 'bob'] as $who) {
                $answer = $this->get($uri, ['Cookie' => "sid=$who"]);
                self::assertSame([200, $of($who)], [$answer->status, $answer->body]);
                self::assertStringStartsWith('larder; ' . $status, (string) $answer->header('cache-status'));
                self::assertSame('private, no-cache', $answer->header('cache-control'));
                self::assertNull($answer->header('set-cookie'), 'An include sets no cookie.');
            }
            self::assertSame($of('nobody'), $this->get($uri)->body);
        }
        self::assertSame(
            ['/@larder/part/box/count/4', '/@larder/part/box/latest', '/@shell/news/4', '/@shell/open/4'],
            $this->kept(),
        );
    }

    public function testOtherPartsSeeNothingOfTheVisitor(): void
    {
        $person = ['Cookie' => 'sid=ann; other=1', 'User-Agent' => 'Somebody'];
        foreach (['/fails/cookie', '/open/fails/cookie'] as $uri) {
            $this->get($uri, $person);
            $body = $this->get($uri, $person)->body;
            self::assertSame('before [[],null,null] between <p>latest: five</p> after', $body, $uri);
        }
    }

    public function testNobodyCanAskForAPartOrAShell(): void
    {
        $this->get('/news/4');
        $this->made();
        $part = '@larder/part/';
        foreach ([
            "/{$part}login", "/{$part}box/latest", "/{$part}timed/x", "/{$part}box/throws", "/{$part}nobody", "/$part",
            '/%40larder/part/login', '/@larder%2Fpart/login', "//{$part}login", "/x/../{$part}login",
            "/{$part}login?x=1", "/{$part}box/latest?utm_source=x", '/@larder/part', "/./{$part}login/",
            '/@larder/make/box/latest', '/@larder/@shell/news/4', '/@larder/%40shell/news/4', '/@shell/news/4',
            '/@shell/news/4~page', '/news/4~page', '/@larder/part/box/latest~page', '/@larder/page?larder/news/news/4',
        ] as $uri) {
            foreach ([[], ['Cookie' => 'sid=ann'], ['Larder-Part' => "/{$part}login", 'LARDER_PART' => 'x']] as $more) {
                foreach (['GET', 'POST', 'HEAD'] as $method) {
                    $answer = $this->get($uri, $more, $method);
                    $body = $answer->body;
                    self::assertNotSame('larder; hit', $answer->header('cache-status'), $uri);
                    self::assertStringNotContainsString('latest:', $body, $uri);
                    self::assertStringNotContainsString('You are', $body, $uri);
                    self::assertStringNotContainsString('<!--#', $body, $uri);
                    if (str_contains(rawurldecode($uri), '@larder')) {
                        self::assertSame(404, $answer->status, $uri);
                    }
                }
            }
        }
        self::assertSame([], preg_grep('~^[^/]~', $this->made()));
    }

    public function testAPartThatFailsIsEmptyAndNotKeptAndSaidInTheLog(): void
    {
        foreach ([
            'throws' => 'The part box/throws is left empty: It is broken.',
            'nested' => 'The part box/nested asked for the part box/latest, and a part has no parts',
            'refused' => 'The part box/refused is left empty: its status is 403',
            'fatal' => '',
        ] as $way => $said) {
            foreach (['/fails/' . $way => 2, '/open/fails/' . $way => 2] as $uri => $times) {
                for ($time = 0; $time < $times; ++$time) {
                    $answer = $this->get($uri);
                    self::assertSame(
                        [200, 'before  between <p>latest: five</p> after'],
                        [$answer->status, $answer->body],
                        $uri,
                    );
                }
            }
            self::assertStringContainsString($said, (string) @file_get_contents(self::$directory->path . '/noted/log'));
            self::assertGreaterThanOrEqual(4, array_count_values($this->made())['box/' . $way]);
        }
        self::assertSame([], preg_grep('~part.*/(?:throws|nested|refused|fatal)$~', $this->kept()));
    }

    public function testAnEmptyPartIsKept(): void
    {
        for ($time = 0; $time < 2; ++$time) {
            self::assertSame("before \n between <p>latest: five</p> after", $this->get('/fails/empty')->body);
        }
        self::assertSame(['/fails/empty', 'box/empty', 'box/latest'], $this->made());
    }

    /** @return iterable<string, array{string}> */
    public static function injections(): iterable
    {
        foreach ([
            'an include' => '<!--# include virtual="/plain/5" -->',
            'a part of another' => '<!--# include virtual="/@larder/part/login" -->',
            'without a blank' => '<!--#include virtual="/@larder/part/login"-->',
            'a program' => '<!--#exec cmd="id" -->',
            'a variable' => '<!--# echo var="document_uri" --><!--# echo var="request_uri" -->',
            'a file' => '<!--#include file="/etc/passwd" -->',
            'a block' => '<!--# block name="one" -->x<!--# endblock --><!--# include virtual="/none" stub="one" -->',
            'a condition' => '<!--# if expr="1" -->yes<!--# else -->no<!--# endif -->',
            'without an end' => '<!--# include virtual="/plain/5',
            'twice begun' => '<!--<!--# echo var="uri" --><!<!-<!--<<!--# echo var="uri" -->',
            'begun in each other' => '<!--<!--##<!--# echo var="uri" --> -->#<!-- # echo var="uri" -->',
            'an end that waits for a sign' => 'x<!--',
            'an end that waits for more' => 'x<!-',
            'a sign that waits for its start' => '# include virtual="/plain/5" -->',
            'of other characters'
                => "\xC0\xBC!--# echo var=\"uri\" -->+ADw-!--# echo var=\"uri\" -->&lt;!--# &#60;!--#",
            'in two bytes' => mb_convert_encoding('<!--# echo var="uri" -->', 'UTF-16LE'),
            'with a zero' => "<!--\0# echo var=\"uri\" --><\0!--#<!--#\0 echo var=\"uri\" -->",
            'across buffers' => str_repeat('<!--# echo var="uri" -->', 4000),
            'a start across buffers' => str_repeat('<!--', 20_000),
            'a mark' => '<!--larder:' . str_repeat('0', 64) . ':login-->',
            'a mark around another' => '<!--larder:<!--larder:login-->:login-->',
        ] as $name => $text) {
            // A server takes no other texts.
            if (self::kind() === DatabaseKind::Sqlite || preg_match('/^[^\0]*$/Du', $text) === 1) {
                yield $name => [$text];
            }
        }
    }

    #[DataProvider('injections')]
    public function testTextOfAVisitorIsNoCommand(string $text): void
    {
        $this->writer->prepare('UPDATE news SET title = ? WHERE id = 4')->execute([$text]);
        $inert = str_replace('<!--#', '<!-- #', $text);
        $box = '<p>latest: five</p>';
        $end = preg_match('/<(?:!-{0,2})?$/D', $inert) === 1 ? "\n" : '';
        $page = "<p title=\"$inert\">$inert</p><!-- $inert --><script>t = \"$inert\"</script>$box$inert<!-{$box}-#"
            . "$inert<!--$box#$inert$end";
        $bypass = ['Cookie' => 'sid=ann'];
        foreach ([[], [], $bypass] as $headers) {
            self::assertSame(bin2hex($page), bin2hex($this->get('/bare/4', $headers)->body));
            self::assertSame(bin2hex($inert . $end), bin2hex($this->get('/bare-part/4', $headers)->body));
        }
        self::assertContains('/@larder/part/box/bare/4', $this->kept());
        // In a cache that several hosts share it may be the mark of another one.
        $mayBeMark = $this instanceof PartsInMemcachedTest && str_contains($text, str_repeat('0', 64));
        self::assertSame(!$mayBeMark, \in_array('/@shell/bare/4', $this->kept(), true));
        self::assertSame([], array_diff($this->made(), ['/bare/4', '/bare-part/4', 'box/latest', 'box/bare/4']));
    }

    public function testAPageThatAsksForWhatIsAVisitorsIsNotKeptAndSaysWho(): void
    {
        foreach ([
            'token' => '/^larder; fwd=miss; detail="Larder.Tests.Support.PartsSite::token gave a CSRF token outside a '
                . 'private part, called at PartsSite\.php:\d+"$/',
            'session' => '/detail="(?:a session was started|the answer sets a cookie)"$/',
        ] as $way => $reason) {
            for ($time = 0; $time < 2; ++$time) {
                $answer = $this->get('/ask/' . $way);
                self::assertMatchesRegularExpression($reason, stripslashes((string) $answer->header('cache-status')));
                self::assertStringEndsWith('asked<p>latest: five</p>', str_replace(' token', '', $answer->body));
            }
        }
        self::assertSame(500, $this->get('/ask/unknown')->status);
        self::assertSame([], $this->kept());
        self::assertSame('before  token between <p>latest: five</p> after', $this->get('/fails/token')->body);
        self::assertNotContains('/@larder/part/box/token', $this->kept());
    }

    public function testPagesWithQueriesEscapesAndTimeHaveParts(): void
    {
        foreach ([
            '/shared/4?page=2' => ['/shared/4?page=2', '/shared/4?utm_source=x&page=2'],
            '/gr%C3%B6%C3%9Fe/4' => ['/gr%C3%B6%C3%9Fe/4', '/gr%C3%B6%C3%9Fe/4?fbclid=1'],
            '/shared/4' => ['/shared/4?utm_source=x', '/shared/4'],
            '/' => ['/', '/?gclid=2'],
        ] as $uri => $same) {
            self::assertSame('larder; fwd=miss; stored', $this->get($uri)->header('cache-status'), $uri);
            foreach ($same as $other) {
                $answer = $this->get($other);
                self::assertSame('larder; hit', $answer->header('cache-status'), $other);
                self::assertStringContainsString('<p>latest: five</p>', $answer->body);
            }
        }
        // A bucket may end in between.
        $times = 0;
        do {
            $statuses = [$this->get('/quick/4'), $this->get('/quick/4'), $this->get('/fails/../quick/4')];
            $statuses = array_map(static fn(Response $answer): ?string => $answer->header('cache-status'), $statuses);
        } while (++$times < 3 && $statuses[1] !== 'larder; hit');
        self::assertSame('larder; hit', $statuses[1]);
        self::assertNotSame([], preg_grep('~^/@shell/@[^/]+/quick/4$~', $this->kept()));
    }

    public function testPagesWithoutPartsAreAsFastAsBefore(): void
    {
        $this->get('/plain/4');
        $gzip = ['Accept-Encoding' => 'gzip'];
        foreach ([[], $gzip] as $headers) {
            $hit = $this->get('/plain/4', $headers);
            self::assertSame('larder; hit', $hit->header('cache-status'));
            self::assertSame($headers === [] ? null : 'gzip', $hit->header('content-encoding'));
            self::assertSame('no-cache', $hit->header('cache-control'));
            $headers['If-None-Match'] = (string) $hit->header('etag');
            self::assertSame(304, $this->get('/plain/4', $headers)->status);
        }
        self::assertSame(['/plain/4'], $this->kept());
    }

    public function testWhatElseMayBeAskedOfAPageWithParts(): void
    {
        $this->get('/shared/4');
        $body = '<h1>four</h1><p>latest: five</p>';
        $gzip = $this->get('/shared/4', ['Accept-Encoding' => 'gzip']);
        self::assertSame(['gzip', $body], [$gzip->header('content-encoding'), gzdecode($gzip->body)]);
        foreach ([['Range' => 'bytes=0-3'], ['If-Modified-Since' => 'Mon, 01 Jan 2300 00:00:00 GMT']] as $headers) {
            $answer = $this->get('/shared/4', $headers);
            self::assertSame([200, $body], [$answer->status, $answer->body]);
        }
        $head = $this->get('/shared/4', method: 'HEAD');
        self::assertSame([200, '', 'larder; hit'], [$head->status, $head->body, $head->header('cache-status')]);
        self::assertNull($head->header('content-length'));
        self::assertStringStartsWith('larder; fwd=bypass', (string) $this->get('/shared/4', method: 'POST')
            ->header('cache-status'));
        self::assertSame($body, $this->get('/shared/4', ['Authorization' => 'Basic eDp5'])->body);
        $gone = $this->get('/gone/4');
        self::assertSame([404, 'gone<p>You are nobody token</p>'], [$gone->status, $gone->body]);
        foreach (['ann', 'bob'] as $who) {
            $gone = $this->get('/open/gone/4', ['Cookie' => "sid=$who"]);
            self::assertSame([404, "gone<p>You are $who token</p>"], [$gone->status, $gone->body]);
        }
    }

    public function testAPartByContextIsKeptForEachContext(): void
    {
        $contexts = self::$site->visitors->contexts ?? self::fail('The site has contexts.');
        $cookie = static fn(string $role): string => explode(';', $contexts->cookie(['role' => $role], time(), 600))[0];
        $visitors = ['editor' => $cookie('editor'), 'member' => $cookie('member'), 'nobody' => 'a=b'];
        $visitors['forged'] = str_replace('member', 'editor', $cookie('member'));
        $this->get('/role/4');
        $this->made();
        foreach ([2, 0] as $made) {
            foreach ($visitors as $role => $header) {
                $menu = 'menu of ' . ($role === 'forged' ? 'nobody' : $role);
                $answer = $this->get('/role/4', ['Cookie' => $header]);
                self::assertSame($menu . $menu, $answer->body);
                self::assertSame('larder; hit', $answer->header('cache-status'));
            }
            self::assertSame($made, array_count_values($this->made())['menu'] ?? 0);
        }
        foreach ($visitors as $role => $header) {
            $menu = 'menu of ' . ($role === 'forged' ? 'nobody' : $role);
            $bypass = $this->get('/role/4', ['Cookie' => $header, 'Authorization' => 'Basic eDp5']);
            self::assertSame($menu . $menu, $bypass->body);
        }
        self::assertSame(['/@=/@larder/part/menu', '/@=role:editor/@larder/part/menu',
            '/@=role:member/@larder/part/menu', '/@shell/role/4'], $this->kept());
    }

    public function testAPageThatIsNoHtmlIsNotKeptWithItsParts(): void
    {
        for ($time = 0; $time < 2; ++$time) {
            $answer = $this->get('/text/4');
            self::assertSame('<h1>four</h1><p>latest: five</p>', $answer->body);
            self::assertStringContainsString('only HTML can have parts', (string) $answer->header('cache-status'));
        }
    }

    /** @param array<string, string> $headers */
    protected function get(string $uri, array $headers = [], string $method = 'GET'): Response
    {
        return Connection::ask(
            '127.0.0.1:' . self::$running->port,
            $method,
            $uri,
            $headers + ['Host' => 'localhost'],
        );
    }

    private function assertPage(string $body, string $status, string $uri): void
    {
        $answer = $this->get($uri);
        self::assertSame(
            [200, $body, 'larder; ' . $status],
            [$answer->status, $answer->body, $answer->header('cache-status')],
        );
    }

    /** @return list<string> the keys of all that is kept, sorted */
    private function kept(): array
    {
        $keys = [];
        foreach ($this->writer->select('SELECT page FROM larder_page ORDER BY page') as ['page' => $key]) {
            $keys[] = \is_string($key) ? $key : '';
        }

        return $keys;
    }

    /** @return list<string> what was made since the last look, sorted */
    private function made(): array
    {
        $file = self::$directory->path . '/noted/made';
        $lines = is_file($file) ? (array) file($file, FILE_IGNORE_NEW_LINES) : [];
        @unlink($file);
        sort($lines);

        return array_map(strval(...), $lines);
    }

    /** LARDER_DATABASE in the environment is sqlite, mariadb or postgresql. */
    private static function kind(): DatabaseKind
    {
        $kind = (string) getenv('LARDER_DATABASE');

        return DatabaseKind::from($kind === '' ? 'sqlite' : $kind);
    }
}
