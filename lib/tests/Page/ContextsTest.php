<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Closure;
use Larder\Dependency\RecordedReads;
use Larder\Dependency\Registry;
use Larder\Exception\ContextsUnavailable;
use Larder\Exception\InvalidContext;
use Larder\Exception\InvalidSite;
use Larder\Metrics\NullCounters;
use Larder\Page\Context;
use Larder\Page\Contexts;
use Larder\Page\ContextSecrets;
use Larder\Page\NginxConfig;
use Larder\Page\NginxTarget;
use Larder\Page\NginxTemplates;
use Larder\Page\PageCache;
use Larder\Page\PageRequest;
use Larder\Page\Part;
use Larder\Page\PartKind;
use Larder\Page\Parts;
use Larder\Page\Site;
use Larder\Page\Urls;
use Larder\Page\Visitors;
use Larder\Proof\Support\TestLog;
use Larder\Testbed\TemporaryDirectory;
use LogicException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** What can be said of contexts without nginx. */
#[CoversClass(Context::class)]
#[CoversClass(Contexts::class)]
#[CoversClass(ContextSecrets::class)]
#[CoversClass(NginxTemplates::class)]
#[CoversClass(PageRequest::class)]
final class ContextsTest extends TestCase
{
    private const NOW = 1_790_000_000;

    private TemporaryDirectory $directory;

    private TestLog $log;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        $this->log = new TestLog();
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testAContextHasOneForm(): void
    {
        $contexts = $this->contexts();

        self::assertSame('language:de.role:editor', $contexts->text(['role' => 'editor', 'language' => 'de']));
        self::assertSame('language:de.role:editor', $contexts->text(['language' => 'de', 'role' => 'editor']));
        self::assertSame('role:member', $contexts->text(['role' => 'member']));
        self::assertSame('', $contexts->text([]));
    }

    public function testTheCookieIsForTheBrowserToSendBackAndForNothingElse(): void
    {
        ContextSecrets::renew($this->secrets(), false, null);
        $contexts = $this->contexts();
        $ends = self::NOW + 600;

        self::assertMatchesRegularExpression(
            "/^larder_context=role:editor~$ends~1~[A-Za-z0-9_-]{22}; Max-Age=600; Path=\\/; HttpOnly; SameSite=Lax; "
                . 'Secure$/D',
            $contexts->cookie(['role' => 'editor'], self::NOW, 600),
        );
        $none = 'larder_context=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure';
        self::assertSame([$none, $none], [$contexts->anonymous(), $contexts->cookie([], self::NOW, 600)]);
        self::assertSame(
            'who=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
            (new Contexts(['role' => ['editor']], '/x', 'who', false))->anonymous(),
        );
    }

    public function testItHoldsUntilItsLastSecond(): void
    {
        ContextSecrets::renew($this->secrets(), false, null);
        $contexts = $this->contexts();
        $cookie = (string) strtok($contexts->cookie(['role' => 'editor'], self::NOW, 600), ';');

        self::assertSame('role:editor', $contexts->read($cookie, self::NOW + 600));
        self::assertSame('', $contexts->read($cookie, self::NOW + 601));
    }

    /** @return iterable<string, array{Closure(): mixed, string}> */
    public static function impossible(): iterable
    {
        $many = array_map(static fn(int $number): string => "v$number", range(1, 16));
        yield 'too many' => [self::making(['a' => \array_slice($many, 0, 15), 'b' => $many], '/x'), '272 combinations'];
        yield '65 bytes' => [self::making(['a' => [str_repeat('x', 63)]], '/x'), '65 bytes'];
        yield 'no dimension' => [self::making([], '/x'), 'no dimension'];
        yield 'no value' => [self::making(['a' => []], '/x'), 'no value'];
        yield 'a value twice' => [self::making(['a' => ['b', 'b']], '/x'), 'one twice'];
        foreach (['', 'A', '1a', 'a-b', 'a.b', 'a:b', "a\n"] as $name) {
            yield 'name ' . json_encode($name) => [self::making([$name => ['b']], '/x'), 'the name of a dimension'];
        }
        foreach (['', '-a', 'a.b', 'a:b', 'a~b', 'a|b', 'a;b', 'a b', 'ä', "a\n", '$a'] as $value) {
            yield 'value ' . json_encode($value) => [self::making(['a' => [$value]], '/x'), 'a value of a'];
        }
        foreach (['', 'x', '/x/', '/a b', '/a;b', '/a*', "/a\n", '/$a', '/a"b'] as $file) {
            yield 'file ' . json_encode($file) => [self::making(['a' => ['b']], $file), 'the file of secrets'];
        }
        foreach (['', 'a b', 'a=b', 'a.b', "a\n"] as $cookie) {
            yield "cookie '$cookie'" => [self::making(['a' => ['b']], '/x', $cookie), 'name of the cookie'];
        }
        yield 'a prefix without TLS' => [self::making(['a' => ['b']], '/x', '__Host-a', false), 'only if it is secure'];
        $contexts = new Contexts(['role' => ['member', 'editor']], '/x');
        yield 'unknown value' => [static fn() => $contexts->text(['role' => 'admin']), 'may be member, editor'];
        yield 'unknown dimension' => [
            static fn() => $contexts->text(['user' => '7']),
            'dimension user is not declared',
        ];
        yield 'no ttl' => [static fn() => $contexts->cookie(['role' => 'editor'], self::NOW, 0), 'the ttl is 0'];
        yield 'a long ttl' => [
            static fn() => $contexts->cookie(['role' => 'editor'], self::NOW, Contexts::LONGEST_TTL + 1),
            'may be 1 to 31536000',
        ];
    }

    /** @param Closure(): mixed $make */
    #[DataProvider('impossible')]
    public function testWhatCannotBeIsRefused(Closure $make, string $message): void
    {
        $this->expectException(InvalidContext::class);
        $this->expectExceptionMessage($message);
        $make();
    }

    public function testTheMostAndTheLongestAreAllowed(): void
    {
        $fifteen = array_map(static fn(int $number): string => "v$number", range(1, 15));

        self::assertCount(2, (new Contexts(['a' => $fifteen, 'b' => $fifteen], '/x'))->dimensions);
        self::assertCount(1, (new Contexts(['a' => [str_repeat('x', 62)]], '/x'))->dimensions);
    }

    public function testTheFileOfSecretsIsForItsOwnerAndAGroup(): void
    {
        $file = $this->secrets();
        $first = ContextSecrets::renew($file, true, null);
        self::assertSame(0o600, self::mode($file));
        $inode = fileinode($file);
        $group = posix_getgrgid(posix_getegid());
        self::assertIsArray($group);

        $second = ContextSecrets::renew($file, true, $group['name']);
        self::assertSame(0o640, self::mode($file));
        self::assertNotSame($inode, fileinode($file), 'It is replaced, never half written.');
        self::assertSame([2, 1], $second->versions());
        self::assertSame($first->newest(), $second->secret(1));
        self::assertNotSame($first->newest(), $second->newest());

        $third = ContextSecrets::renew($file, false, null);
        self::assertSame(0o640, self::mode($file), 'Who may read it stays.');
        self::assertSame([3], $third->versions());
        self::assertEquals($third, ContextSecrets::of($file));
        self::assertSame(
            ['contexts.secrets', 'contexts.secrets.lock'],
            array_values(array_diff((array) scandir($this->directory->path), ['.', '..'])),
        );
    }

    public function testSecretsThatAreNotThereOrNoneAreAnErrorWithARemedy(): void
    {
        foreach (['7 "abc";', "7 'x';", '$a', '0 "' . str_repeat('a', 64) . '";', '', "# nothing\n"] as $text) {
            file_put_contents($this->secrets(), $text);
            try {
                ContextSecrets::of($this->secrets());
                self::fail($text);
            } catch (ContextsUnavailable $failed) {
                self::assertStringContainsString('larder contexts:secret', $failed->getMessage());
            }
        }
        unlink($this->secrets());
        $this->expectException(ContextsUnavailable::class);
        $this->expectExceptionMessage('larder contexts:secret --group=GROUP');
        $this->contexts()->cookie(['role' => 'editor'], self::NOW, 600);
    }

    public function testADirectoryThatIsNotThereIsAnErrorWithItsReason(): void
    {
        $this->expectException(ContextsUnavailable::class);
        $this->expectExceptionMessage('cannot be locked: No such file or directory');
        ContextSecrets::renew($this->directory->path . '/none/x', true, null);
    }

    public function testAGroupThatIsNotThereLeavesTheFileAsItWas(): void
    {
        $before = ContextSecrets::renew($this->secrets(), true, null);
        try {
            ContextSecrets::renew($this->secrets(), false, 'no-such-group-here');
            self::fail('It has no such group.');
        } catch (ContextsUnavailable $failed) {
            self::assertStringContainsString('cannot be written', $failed->getMessage());
        }
        self::assertEquals($before, ContextSecrets::of($this->secrets()));
        self::assertCount(4, (array) scandir($this->directory->path));
    }

    public function testARenderReadsItsContextAndSaysSo(): void
    {
        $context = new Context('language:de-AT.role:editor');
        self::assertSame(
            ['de-AT', 'editor', null, 'language:de-AT.role:editor', false],
            [
                $context->value('language'),
                $context->value('role'),
                $context->value('rol'),
                $context->text(),
                $context->isAnonymous(),
            ],
        );
        $nobody = new Context('');
        self::assertSame([null, '', true], [$nobody->value('role'), $nobody->text(), $nobody->isAnonymous()]);

        foreach ([
            "value('role')" => static fn(Context $context) => $context->value('role'),
            'text()' => static fn(Context $context) => $context->text(),
            'isAnonymous()' => static fn(Context $context) => $context->isAnonymous(),
        ] as $call => $read) {
            $reads = new RecordedReads(new Registry());
            $context = $this->cache()->context(
                PageRequest::of(['LARDER_PAGE' => '/', 'LARDER_CONTEXT' => 'role:editor']),
                $reads,
            );
            self::assertNull($reads->refusal());
            $read($context);
            self::assertStringStartsWith(
                "the render read the context by Context::$call at ContextsTest.php:",
                (string) $reads->refusal(),
            );
        }
    }

    public function testWithoutNginxPhpReadsTheCookieItself(): void
    {
        ContextSecrets::renew($this->secrets(), false, null);
        $cookie = (string) strtok($this->contexts()->cookie(['role' => 'editor'], time(), 600), ';');
        $of = fn(array $server): string => $this->cache()
            ->context(PageRequest::of($server), new RecordedReads(new Registry()))
            ->text();

        self::assertSame('role:editor', $of(['HTTP_COOKIE' => $cookie]));
        self::assertSame('', $of(['HTTP_COOKIE' => $cookie . 'x']));
        self::assertSame('', $of(['LARDER_CONTEXT' => 'role:editor']), 'Nobody has checked this one.');
        self::assertSame('', $of(['LARDER_PAGE' => '', 'HTTP_COOKIE' => $cookie]), 'nginx has said what it is.');
        $page = PageRequest::of(['HTTP_COOKIE' => $cookie]);
        $reads = new RecordedReads(new Registry());
        self::assertSame('role:editor', $this->cache()->context(PageRequest::ofPart('box', $page), $reads)->text());
        self::assertNull($reads->refusal(), 'The key of a part by context has it.');
        $this->cache()->context(PageRequest::ofPart('news', $page), $reads)->text();
        self::assertStringContainsString('Context::text()', (string) $reads->refusal(), 'That of one for all has not.');

        unlink($this->secrets());
        self::assertSame('', $of(['HTTP_COOKIE' => $cookie]));
        self::assertCount(1, $this->log->lines());
        self::assertStringStartsWith('error: Every visitor is anonymous: There are no secrets', $this->log->lines()[0]);
    }

    public function testAPartByContextNeedsContexts(): void
    {
        $this->expectException(InvalidSite::class);
        $this->expectExceptionMessage('part box: it is by context, and the site has no contexts');
        $this->site(null, 'news', parts: [new Part('box', PartKind::ByContext)]);
    }

    public function testTheConfigurationHasThemAndItsHashCoversThem(): void
    {
        $hash = fn(?Contexts $contexts): string => $this->config($contexts)->hash();
        $contexts = $this->contexts();

        self::assertCount(5, array_unique([
            $hash(null),
            $hash($contexts),
            $hash(new Contexts(['role' => ['member', 'editor', 'admin']], $this->secrets())),
            $hash(new Contexts($contexts->dimensions, $this->secrets(), 'other')),
            $hash(new Contexts($contexts->dimensions, '/elsewhere')),
        ]));
        self::assertStringNotContainsString('secure_link', $this->config(null)->http() . $this->config(null)->server());
        ContextSecrets::renew($this->secrets(), true, null);
        $text = $this->config($contexts)->http() . $this->config($contexts)->server();
        self::assertStringContainsString("include {$this->secrets()};", $text);
        self::assertStringNotContainsString(ContextSecrets::of($this->secrets())->newest(), $text);
    }

    public function testTheLongestNameOfASiteIsNotTooLongForPcre(): void
    {
        $text = $this->config($this->contexts(), str_repeat('a', 60))->http();
        preg_match_all('/\(\?<(\w+)>/', $text, $groups);

        self::assertGreaterThanOrEqual(5, \count($groups[1]));
        foreach ($groups[1] as $group) {
            self::assertLessThanOrEqual(32, \strlen($group));
        }
    }

    public function testTheCookieIsNoneOfASession(): void
    {
        foreach (['larder_context', 'LARDER_context', 'larder_*'] as $cookie) {
            try {
                $this->site($this->contexts(), 'news', [$cookie]);
                self::fail($cookie);
            } catch (InvalidSite $invalid) {
                self::assertStringContainsString("\"$cookie\" is the cookie of contexts", $invalid->getMessage());
            }
        }
    }

    /** @param array<string, list<string>> $dimensions */
    private static function making(
        array $dimensions,
        string $file,
        string $cookie = 'c',
        bool $secure = true,
    ): Closure {
        return static fn(): Contexts => new Contexts($dimensions, $file, $cookie, $secure);
    }

    private static function mode(string $file): int
    {
        clearstatcache();

        return (int) fileperms($file) & 0o777;
    }

    private function secrets(): string
    {
        return $this->directory->path . '/contexts.secrets';
    }

    private function contexts(): Contexts
    {
        return new Contexts(['role' => ['member', 'editor'], 'language' => ['de', 'fr']], $this->secrets());
    }

    private function config(?Contexts $contexts, string $name = 'news'): NginxConfig
    {
        $target = new NginxTarget(['80'], '/run/php.sock', '/srv/index.php');

        return new NginxConfig($this->site($contexts, $name), $target);
    }

    private function cache(): PageCache
    {
        $site = $this->site($this->contexts(), 'news', parts: [new Part('box', PartKind::ByContext), new Part('news')]);

        return new PageCache(
            $site,
            new NullCounters(),
            static fn() => throw new LogicException('No test here asks for a page.'),
            $this->log,
            new Parts($site),
        );
    }

    /**
     * @param list<string> $cookies
     * @param list<Part>   $parts
     */
    private function site(
        ?Contexts $contexts,
        string $name,
        array $cookies = ['PHPSESSID'],
        array $parts = [],
    ): Site {
        return new Site(
            name: $name,
            hosts: ['news.example'],
            pages: '/run/larder/news',
            list: '/srv/news/list.php',
            controllers: [],
            connect: static fn() => throw new LogicException('No test here needs the database.'),
            visitors: new Visitors(sessionCookies: $cookies, contexts: $contexts),
            urls: new Urls(parts: $parts),
        );
    }
}
