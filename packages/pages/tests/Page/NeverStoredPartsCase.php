<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Page\Pages;
use Larder\Page\Site;
use Larder\Page\SsiText;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\Net\Exchange;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\ContextCookies;
use Larder\Tests\Support\Injections;
use Larder\Tests\Support\MirrorSite;
use Larder\Tests\Support\PartRequest;
use Larder\Tests\Support\PartRequests;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\DataProviderExternal;

/**
 * Two visitors ask for what is not theirs, over real HTTP; then somebody asks who has no word and no context. Nothing
 * of the two is in his pages or in the store, and nobody has an editor's part.
 */
abstract class NeverStoredPartsCase extends ServedPartsCase
{
    private const USERS = ['red1secret', 'blue2secret'];

    private const PLAIN = 'page four [box of four][menu for everybody][own of nobody with none]';

    /** What an anonymous visitor's page leaves in the store. */
    private const KEPT = ['/@=/@larder/part/menu', '/@larder/part/box/latest', '/@shell/page/4'];

    private static RecordingPdo $writer;

    private static ContextCookies $cookies;

    /** @return array<string, string> what is in the store, by key */
    abstract protected static function stored(): array;

    public static function setUpBeforeClass(): void
    {
        self::serve(MirrorSite::class, static function (string $home, array $memcached): Site {
            mkdir($home . '/data');
            self::$cookies = ContextCookies::of(ContextCookies::contexts($home));

            return MirrorSite::site($home, $memcached);
        }, static function (RecordingPdo $writer): array {
            self::$writer = $writer;
            $writer->exec('PRAGMA journal_mode = WAL');
            $writer->exec('CREATE TABLE news (id INTEGER PRIMARY KEY, title TEXT)');
            $writer->exec('CREATE TABLE comment (id INTEGER PRIMARY KEY, text TEXT)');
            $writer->exec("INSERT INTO news VALUES (4, 'four')");

            return [self::$directory->path . '/data'];
        });
    }

    protected function setUp(): void
    {
        self::$writer->exec('DELETE FROM comment');
        $this->flush();
    }

    public function testThereAreAtLeastSoManyTrials(): void
    {
        self::assertGreaterThanOrEqual(200, \count(iterator_to_array(PartRequests::all())));
        self::assertGreaterThanOrEqual(60, \count(iterator_to_array(self::worthless())));
        self::assertGreaterThanOrEqual(45, \count(iterator_to_array(Injections::all())));
    }

    #[DataProviderExternal(PartRequests::class, 'all')]
    public function testNobodyHasAPartOfItsOwnOrWhatIsAnothers(PartRequest $request): void
    {
        foreach ([false, true] as $isWarm) {
            $this->flush();
            if ($isWarm) {
                $this->editorsPageIsKept();
            }
            $before = array_keys(static::stored());
            foreach (self::USERS as $number => $user) {
                $answer = $this->send(str_replace('WHO', $user, $request->bytes));
                $status = preg_match('~^HTTP/1\.1 (\d+) ~', $answer, $found) === 1 ? $found[1] : '';
                self::assertMatchesRegularExpression("~^{$request->status}\$~D", $status, $answer . self::logs());
                $this->assertHarmless($answer, self::USERS[1 - $number]);
                if ($request->page === null) {
                    self::assertDoesNotMatchRegularExpression('/\[(?:box|menu|own) /', $answer);
                }
            }
            $new = array_values(array_diff(array_keys(static::stored()), $before));
            self::assertSame([], array_values(array_diff($new, $request->page === null ? [] : self::KEPT)), 'Stored.');
            $this->assertNothingOfTheTwo();
        }
    }

    /** @return iterable<string, array{string}> names of ContextCookies::worthless() */
    public static function worthless(): iterable
    {
        $directory = new TemporaryDirectory('larder-names');
        foreach (array_keys(ContextCookies::of(ContextCookies::contexts($directory->path))->worthless()) as $name) {
            yield $name => [$name];
        }
        $directory->remove();
    }

    #[DataProvider('worthless')]
    public function testWhoHasNoGoodContextIsAnonymousOnAllWays(string $name): void
    {
        $lines = self::$cookies->worthless()[$name];
        $this->editorsPageIsKept();
        $before = array_keys(static::stored());
        foreach (self::USERS as $number => $user) {
            foreach ([
                'GET /page/4' => [],
                'GET /open/4' => ["Cookie: sid=$user"],
                'GET /page/4?x=1' => [],
                'POST /page/4' => [],
                'HEAD /page/4' => [],
                'GET /mirror/4' => [],
                'GET /leak/4' => [],
                'POST /leak/4' => ['Authorization: Basic eDp5'],
            ] as $start => $more) {
                $answer = $this->ask($start, [...$lines, ...$more, "X-Who: $user"]);
                self::assertStringStartsWith('HTTP/1.1 200 ', $answer);
                $this->assertHarmless($answer, self::USERS[1 - $number]);
                if (str_contains($start, 'leak')) {
                    self::assertStringEndsWith("\r\n\r\nleak for .leak for .", $answer, $start);
                } elseif (preg_match('~^(?:GET|POST) /(?:page|open)~', $start) === 1) {
                    $own = $more === [] ? 'none' : $user;
                    self::assertStringEndsWith(
                        "page four [box of four][menu for everybody][own of $user with $own]",
                        $answer,
                        $start,
                    );
                }
            }
        }
        $new = array_diff(array_keys(static::stored()), $before);
        self::assertSame([], preg_grep('~^/@=[^/]|leak|own|\?~', $new));
        $this->assertNothingOfTheTwo();
    }

    public function testEachVisitorHasThePartsOfHisContextAndNobodyElseHasThem(): void
    {
        $member = $this->ask('GET /page/4', [self::$cookies->header('member'), 'X-Who: blue2secret']);
        self::assertStringEndsWith('[menu for role:member][own of blue2secret with none]', $member);
        foreach (self::$cookies->good() as $name => [$lines, $context]) {
            foreach (['GET /page/4', 'POST /page/4', 'GET /open/4', 'GET /page/4?x=1'] as $start) {
                $answer = $this->ask($start, [...$lines, 'X-Who: red1secret']);
                self::assertStringEndsWith("[menu for $context][own of red1secret with none]", $answer, $name);
            }
            foreach (['GET /leak/4', 'POST /leak/4'] as $start) {
                $answer = $this->ask($start, $lines);
                self::assertStringEndsWith("leak for $context.leak for $context.", $answer, $name);
                $leak = $this->ask($start, []);
                self::assertStringEndsWith('leak for .leak for .', $leak, $name);
            }
            $this->ask('GET /mirror/4', [...$lines, 'X-Who: red1secret']);
        }
        foreach (static::stored() as $key => $text) {
            $isOfContext = preg_match('~^/@=([^/]+)/@larder/part/menu$~D', $key, $found) === 1;
            self::assertSame($isOfContext, preg_match('/\[menu for (?!everybody)/', $text) === 1, $key);
            self::assertSame($isOfContext ? "[menu for $found[1]]" : $text, $text);
            self::assertDoesNotMatchRegularExpression('~leak|/part/own$~', $key);
        }
        $this->assertNothingOfTheTwo();
    }

    #[DataProviderExternal(Injections::class, 'all')]
    public function testTextOfAVisitorIsNoCommand(string $text): void
    {
        $this->editorsPageIsKept();
        $inert = str_replace(SsiText::LIVE, '<!-- #', $text);
        $page = "comments <p title=\"$inert\">$inert</p>[box/comments $inert][menu/comments $inert].";
        $editor = self::$cookies->header();
        foreach (self::USERS as $number => $user) {
            $body = http_build_query(['text' => $text]);
            $type = 'Content-Type: application/x-www-form-urlencoded';
            $this->ask('POST /say', [$editor, "X-Who: $user", $type], $body);
            foreach ([[$editor], [$editor], ["Cookie: sid=$user"], ['Authorization: Basic eDp5'], []] as $lines) {
                $answer = $this->ask('GET /comments/4', [...$lines, "X-Who: $user"]);
                $found = explode("\r\n\r\n", $answer, 2)[1] ?? '';
                self::assertSame(bin2hex($page), bin2hex($found));
                $this->assertHarmless($answer, self::USERS[1 - $number]);
            }
            $encoded = rawurlencode(substr($text, 0, 1_500));
            foreach (["/find?q=$encoded", "/none/$encoded", "/page/4?$encoded", "/@larder/part/$encoded"] as $uri) {
                $this->assertHarmless($this->ask("GET $uri", ["X-Who: $user"]), self::USERS[1 - $number]);
            }
            $line = 'X-Who: ' . (string) preg_replace('/[\x00-\x1f]+/', ' ', substr($text, 0, 1_500));
            $own = $this->ask('GET /page/4', [$line]);
            self::assertStringStartsWith('HTTP/1.1 200 ', $own);
            $this->assertHarmless($own, self::USERS[1 - $number]);
            self::assertStringContainsString(' with none]', $own);
        }
        $this->assertNothingOfTheTwo('/comments/4');
    }

    /** A web server that knows of no parts asks the front controller for any URI. */
    public function testPhpAloneShowsNoPartEither(): void
    {
        $show = static function (string $uri): string {
            $front = self::$directory->path . '/front.php';
            $asked = ['REQUEST_METHOD' => 'GET', 'REQUEST_URI' => $uri];
            $process = proc_open([PHP_BINARY, $front], [1 => ['pipe', 'w']], $pipes, null, $asked);
            self::assertIsResource($process);
            $shown = (string) stream_get_contents($pipes[1]);
            proc_close($process);

            return $shown;
        };
        self::assertStringContainsString('[menu for everybody][own of nobody', $show('/page/4'));
        foreach (['own', 'menu', 'box/latest', 'own?x=1'] as $part) {
            foreach (['/@larder/part/', '//@larder/part/', '/%40larder/part/', '/@larder%2Fpart/'] as $place) {
                $shown = $show($place . $part);
                self::assertDoesNotMatchRegularExpression('/\[(?:box|menu|own) /', $shown, $place . $part);
            }
        }
    }

    /** An editor was here before. */
    private function editorsPageIsKept(): void
    {
        for ($time = 0; $time < 2; ++$time) {
            $answer = $this->ask('GET /page/4', [self::$cookies->header()]);
            self::assertStringContainsString('[menu ' . MirrorSite::EDITORS . ']', $answer);
        }
        self::assertArrayHasKey('/@=role:editor/@larder/part/menu', static::stored());
    }

    private function assertNothingOfTheTwo(string ...$more): void
    {
        foreach (['/mirror/4', '/page/4', '/page/4', '/open/4', ...$more] as $uri) {
            $answer = $this->ask("GET $uri", []);
            self::assertStringStartsWith('HTTP/1.1 200 ', $answer, $uri);
            $this->assertHarmless($answer, ...self::USERS);
            if (preg_match('~^/(?:page|open)/~', $uri) === 1) {
                self::assertStringEndsWith("\r\n\r\n" . self::PLAIN, $answer, $uri);
            }
        }
        $secrets = $this->secrets();
        $include = SsiText::LIVE . ' include virtual="/@larder/(?:part|make)/(?:box|menu|own)[/a-z]*(?:~page)?" -->';
        foreach (static::stored() as $key => $text) {
            self::assertDoesNotMatchRegularExpression('~^(?:/@[^/]*)?/@larder/part/(?:own|box/leak)|leak~', $key);
            foreach ([...self::USERS, ...$secrets, '[own '] as $word) {
                self::assertStringNotContainsString($word, $text, $key);
            }
            if (!str_starts_with($key, '/@=role:editor/')) {
                self::assertStringNotContainsString(MirrorSite::EDITORS, $text, $key);
            }
            self::assertStringNotContainsString(
                SsiText::LIVE,
                (string) preg_replace("%$include%", '', $text),
                "$key has a command that is not Larder's.",
            );
        }
    }

    /** Neither an editor's part, for who is none, nor a command, a secret or a word of somebody else's. */
    private function assertHarmless(string $answer, string ...$words): void
    {
        $isEditors = str_contains($answer, 'comments ');
        foreach ([...$words, ...$this->secrets(), SsiText::LIVE, 'uid=0', 'root:x:'] as $word) {
            self::assertStringNotContainsString($word, $answer);
        }
        self::assertTrue($isEditors || !str_contains($answer, MirrorSite::EDITORS), $answer);
    }

    /** @return list<string> what contexts are signed with */
    private function secrets(): array
    {
        $file = (string) file_get_contents(self::$directory->path . '/contexts.secrets');
        self::assertGreaterThan(0, preg_match_all('/[0-9a-f]{64}/', $file, $found));

        return $found[0];
    }

    private function flush(): void
    {
        Pages::of(self::$site)->ledger(self::$writer)->flush();
    }

    /** @param list<string> $lines */
    private function ask(string $start, array $lines, string $body = ''): string
    {
        $lines = ["$start HTTP/1.1", 'Host: localhost', 'Connection: close', ...$lines];
        $lines[] = 'Content-Length: ' . \strlen($body);
        $answer = $this->send(implode("\r\n", $lines) . "\r\n\r\n" . $body);
        $head = explode("\r\n\r\n", $answer, 2);
        if (preg_match('/^transfer-encoding: chunked$/mi', strtr($head[0], ["\r" => ''])) !== 1) {
            return $answer;
        }

        return $head[0] . "\r\n\r\n" . self::joined($head[1] ?? '');
    }

    private static function joined(string $chunks): string
    {
        $whole = '';
        while (sscanf($chunks, '%x', $length) === 1 && \is_int($length) && $length > 0) {
            $start = (int) strpos($chunks, "\r\n") + 2;
            $whole .= substr($chunks, $start, $length);
            $chunks = substr($chunks, $start + $length + 2);
        }

        return $whole;
    }

    private function send(string $bytes): string
    {
        return (string) Exchange::with('tcp://127.0.0.1:' . self::$running->port, $bytes, null);
    }

    /** What the servers say of an answer that is missing. */
    private static function logs(): string
    {
        $logs = [self::$running->nginx->log(), self::$running->php->log(), self::$running->directory . '/php.log'];

        return implode('', array_map(static fn(string $log): string => "\n$log:\n" . @file_get_contents($log), $logs));
    }
}
