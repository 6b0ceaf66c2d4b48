<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Console\Doctor\Check;
use Larder\Console\Doctor\ContextChecks;
use Larder\Console\Doctor\ServerChecks;
use Larder\Dependency\RecordingPdo;
use Larder\Page\Area;
use Larder\Page\Context;
use Larder\Page\Contexts;
use Larder\Page\ContextSecrets;
use Larder\Page\NginxConfig;
use Larder\Page\NginxTarget;
use Larder\Page\NginxTemplates;
use Larder\Page\Operations;
use Larder\Page\PageRequest;
use Larder\Page\Pages;
use Larder\Page\Site;
use Larder\Page\Urls;
use Larder\Page\Visitors;
use Larder\Proof\Support\ContextCookies;
use Larder\Proof\Support\NewsController;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Http\Response;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\Nginx;
use Larder\Testbed\Server\PhpFpm;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** nginx finds a visitor's context by itself, and PHP finds the same. */
#[CoversClass(Context::class)]
#[CoversClass(ContextChecks::class)]
#[CoversClass(Contexts::class)]
#[CoversClass(ContextSecrets::class)]
#[CoversClass(NginxTemplates::class)]
#[CoversClass(PageRequest::class)]
final class NginxContextsTest extends TestCase
{
    private const FRONT = <<<'PHP'
        <?php
        require %s;
        $site = Larder\Tests\Page\NginxContextsTest::site(%s);
        Larder\Page\Pages::of($site)->plainFront(Larder\Page\Pages::of($site)->connect())->run(
            Larder\Proof\Support\NewsController::class,
            function (Larder\Page\Context $context): void {
                header('Content-Type: text/html; charset=utf-8');
                echo match (basename($_SERVER['REQUEST_URI'])) {
                    'reads' => 'role ' . $context->value('role'),
                    'server' => 'has ' . json_encode([$_SERVER['LARDER_CONTEXT'] ?? '', $_ENV['LARDER_CONTEXT'] ?? '']),
                    default => 'for all',
                };
            },
        );
        PHP;

    private static TemporaryDirectory $directory;
    private static ContextCookies $cookies;
    private static PhpFpm $php;
    private static Nginx $nginx;

    public static function setUpBeforeClass(): void
    {
        self::$directory = new TemporaryDirectory('larder-contexts');
        $home = self::$directory->path;
        mkdir($home . '/public');
        mkdir($home . '/data');
        file_put_contents($home . '/public/index.php', \sprintf(
            self::FRONT,
            var_export(\dirname(__DIR__, 3) . '/vendor/autoload.php', true),
            var_export($home, true),
        ));
        $site = self::site($home);
        Pages::of($site)->deploy('r1');
        self::$cookies = ContextCookies::of(self::contexts());
        $account = Account::ableToReach(__FILE__);
        $account->own($home);
        mkdir($home . '/php/tmp', recursive: true);
        self::$php = new PhpFpm($home . '/php', $account, 2);
        self::$nginx = new Nginx($home . '/nginx', static function (int $port) use ($site, $home, $account): string {
            $config = new NginxConfig($site, new NginxTarget(
                ["127.0.0.1:$port"],
                self::$php->socket,
                $home . '/public/index.php',
                directory: $home . '/nginx',
                user: $account->user,
            ));

            return $config->whole(self::telling($port, $config));
        });
    }

    public static function tearDownAfterClass(): void
    {
        self::$nginx->stop();
        self::$php->stop();
        self::$directory->remove();
    }

    public static function site(string $home): Site
    {
        return new Site(
            name: 'news',
            hosts: ['news.example'],
            pages: $home . '/pages',
            list: $home . '/list.php',
            controllers: [NewsController::class],
            connect: static function () use ($home): RecordingPdo {
                $database = new RecordingPdo('sqlite:' . $home . '/data/site.sqlite');
                foreach (['news', 'comment'] as $table) {
                    $database->exec("CREATE TABLE IF NOT EXISTS $table (id INTEGER PRIMARY KEY)");
                }

                return $database;
            },
            urls: new Urls(areas: [new Area('/open', ignoreCookies: true)]),
            operations: new Operations(code: []),
            visitors: new Visitors(contexts: ContextCookies::contexts($home)),
        );
    }

    public function testWhoeverHasASignedCookieHasItsContext(): void
    {
        foreach (self::$cookies->good() as $name => [$lines, $context]) {
            self::assertSame([$context, $context], [self::told($lines), self::read($lines)], $name);
        }
    }

    public function testEveryOtherVisitorIsAnonymous(): void
    {
        $all = self::$cookies->worthless();

        self::assertGreaterThan(50, \count($all));
        foreach ($all as $name => $lines) {
            self::assertSame(['', ''], [self::told($lines), self::read($lines)], $name);
        }
    }

    public function testARotationKeepsTheVersionBeforeAndARevocationKeepsNone(): void
    {
        $contexts = self::contexts();
        $signed = static fn(): array => [
            'Cookie: ' . strtok($contexts->cookie(['role' => 'editor'], time(), 3600), ';'),
        ];
        $first = $signed();
        $version = ContextSecrets::renew($contexts->secrets, true, null)->version();
        $second = $signed();
        self::assertSame(['role:editor', ''], [self::told($first), self::told($second)], 'nginx has not read it yet.');
        self::reload($second);
        self::assertSame(['role:editor', 'role:editor'], [self::told($first), self::read($first)]);

        self::assertSame($version + 1, ContextSecrets::renew($contexts->secrets, true, null)->version());
        $third = $signed();
        self::reload($third);
        self::assertSame(['', ''], [self::told($first), self::read($first)]);
        self::assertSame(['role:editor', 'role:editor'], [self::told($second), self::read($second)]);

        ContextSecrets::renew($contexts->secrets, false, null);
        $fourth = $signed();
        self::reload($fourth);
        foreach ([$first, $second, $third] as $lines) {
            self::assertSame(['', ''], [self::told($lines), self::read($lines)]);
        }
    }

    public function testDoctorSeesSecretsThatNginxHasNotReadAndThatEverybodyMayRead(): void
    {
        $contexts = self::contexts();
        $loaded = 'nginx has loaded the secrets of contexts';
        self::assertSame([], self::ills());

        ContextSecrets::renew($contexts->secrets, true, null);
        self::assertSame([$loaded], self::ills());
        self::reload(['Cookie: ' . strtok($contexts->cookie(['role' => 'editor'], time(), 3600), ';')]);
        self::assertSame([], self::ills());

        chmod($contexts->secrets, 0o644);
        $open = self::ills();
        chmod($contexts->secrets, 0o600);
        self::assertSame(['only root and PHP may read the secrets of contexts'], $open);
        rename($contexts->secrets, $contexts->secrets . '.away');
        $away = self::ills();
        rename($contexts->secrets . '.away', $contexts->secrets);
        self::assertSame([[$loaded], []], [$away, self::ills()]);
    }

    /** nginx has one $secure_link in a request: a link that the site has signed must not vouch for a cookie. */
    public function testALinkThatTheSiteHasSignedMakesNoContext(): void
    {
        $link = rtrim(strtr(base64_encode(md5('own/file', true)), '+/', '-_'), '=');
        $forged = self::$cookies->worthless()['a forged role'];

        self::assertSame(403, self::ask('told.example', '/own/file?md5=x', $forged)->status);
        self::assertSame('[]', self::ask('told.example', "/own/file?md5=$link", $forged)->body);
        self::assertSame('[]', self::ask('told.example', "/own/file?md5=$link", [self::$cookies->header()])->body);
    }

    public function testPhpHasTheContextFromNginxAlone(): void
    {
        $member = self::ask('news.example', '/server', [self::$cookies->header('member', 'fr')], 'POST')->body;
        self::assertStringStartsWith('has ["language:fr.role:member"', $member);
        foreach (self::$cookies->worthless() as $name => $lines) {
            $body = self::ask('news.example', '/server', $lines, 'POST')->body;
            self::assertStringStartsWith('has [""', $body, $name);
        }
    }

    public function testAPageThatReadsItIsSentAndNotStored(): void
    {
        $editor = [self::$cookies->header()];
        foreach ([[$editor, 'role editor'], [[], 'role '], [$editor, 'role editor']] as [$lines, $body]) {
            $answer = self::ask('news.example', '/reads', $lines);
            self::assertSame($body, $answer->body);
            self::assertMatchesRegularExpression(
                '~fwd=miss; detail="the render read the context by Context::value\(\'role\'\) at index.php:\d+, '
                    . 'which the key does not hold"~',
                (string) $answer->header('cache-status'),
            );
        }
    }

    public function testASessionBesideItChangesNothingOfTheContext(): void
    {
        $lines = [self::$cookies->header() . '; PHPSESSID=1'];
        foreach (['/reads' => 'fwd=bypass', '/open/reads' => 'fwd=miss; detail="the render read'] as $uri => $status) {
            $answer = self::ask('news.example', $uri, $lines);
            self::assertSame('role editor', $answer->body);
            self::assertStringStartsWith("larder; $status", (string) $answer->header('cache-status'));
        }
        self::assertSame('role ', self::ask('news.example', '/open/reads', ['Cookie: PHPSESSID=1'])->body);
    }

    public function testAPageThatDoesNotReadItIsForAll(): void
    {
        foreach (['/plain' => 'for all', '/server' => 'has ["",""]'] as $uri => $body) {
            $miss = self::ask('news.example', $uri, [self::$cookies->header()]);
            self::assertSame([$body, 'larder; fwd=miss; stored'], [$miss->body, $miss->header('cache-status')]);
            foreach ([[], [self::$cookies->header('member')]] as $lines) {
                $hit = self::ask('news.example', $uri, $lines);
                self::assertSame([$body, 'larder; hit'], [$hit->body, $hit->header('cache-status')]);
            }
        }
    }

    /**
     * @phpstan-impure
     *
     * @return list<string> what doctor says of contexts alone
     */
    private static function ills(): array
    {
        [$checks] = (new ServerChecks(self::site(self::$directory->path), '127.0.0.1:' . self::$nginx->port(), null))
            ->run();
        $failed = array_filter(
            $checks,
            static fn(Check $check): bool => $check->state === 'failed' && str_contains($check->name, 'contexts'),
        );

        return array_column($failed, 'name');
    }

    private static function contexts(): Contexts
    {
        return ContextCookies::contexts(self::$directory->path);
    }

    /** A server that says which context it finds. */
    private static function telling(int $port, NginxConfig $config): string
    {
        self::assertSame(1, preg_match('/^ *secure_link .*\n *secure_link_md5 .*\n/m', $config->server(), $settings));

        return "server {\nlisten 127.0.0.1:$port;\nserver_name told.example;\ndefault_type text/plain;\n"
            . "location / {\n{$settings[0]}return 200 \"[\$larder_news_context]\";\n}\n"
            . "location /own/ {\nsecure_link \$arg_md5;\nsecure_link_md5 own/file;\n"
            . "if (\$secure_link = \"\") { return 403; }\nrewrite ^ / last;\n}\n}\n";
    }

    /** @param list<string> $lines */
    private static function told(array $lines): string
    {
        $answer = self::ask('told.example', '/', $lines);
        self::assertSame(200, $answer->status);

        return trim($answer->body, '[]');
    }

    /** @param list<string> $lines */
    private static function read(array $lines): string
    {
        $cookies = [];
        foreach ($lines as $line) {
            if (str_starts_with($line, 'Cookie: ')) {
                $cookies[] = substr($line, 8);
            }
        }

        return self::contexts()->read(implode('; ', $cookies), time());
    }

    /** @param list<string> $lines */
    private static function ask(string $host, string $uri, array $lines, string $method = 'GET'): Response
    {
        $connection = new Connection('127.0.0.1:' . self::$nginx->port(), $host);
        $answer = $connection->request($uri, $lines, $method);
        $connection->close();
        self::assertNotNull($answer);

        return $answer;
    }

    /** @param list<string> $lines that the new workers take for an editor's */
    private static function reload(array $lines): void
    {
        self::$nginx->reload();
        self::assertSame('role:editor', self::told($lines));
    }
}
