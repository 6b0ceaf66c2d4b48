<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Server;

use Larder\Bench\Server\Fpm;
use Larder\Bench\Server\PageScripts;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Server\ServerFailed;
use Larder\Testbed\Tests\Server\ServerTestCase;
use PHPUnit\Framework\Attributes\CoversClass;

#[CoversClass(Fpm::class)]
#[CoversClass(PageScripts::class)]
final class FpmTest extends ServerTestCase
{
    public function testScriptsRunWithTheGivenEnvironmentAndSettings(): void
    {
        mkdir($this->directory . '/scripts/below', recursive: true);
        file_put_contents(
            $this->directory . '/scripts/below/say.php',
            '<?php echo json_encode([getenv("BENCH"), ini_get("opcache.enable"), '
                . 'ini_get("opcache.validate_timestamps"), ini_get("apc.shm_size"), $_GET, (bool) '
                . 'opcache_is_script_cached(__FILE__)]);',
        );
        $server = new Fpm(
            $this->directory . '/f',
            $this->directory . '/scripts',
            3,
            ['BENCH' => 'yes'],
            ['apc.shm_size' => '48M'],
        );
        $url = $server->endpoint()->extra['url'] ?? '';

        self::assertSame(
            200,
            Connection::fetch($url . '/below/say.php?a=b')->status,
            'opcache takes it at the first request',
        );
        self::assertSame('["yes","1","0","48M",{"a":"b"},true]', Connection::fetch($url . '/below/say.php?a=b')->body);
        foreach (['/', '/say.php', '/below/../below/say.txt', '/below/say.php/x'] as $uri) {
            self::assertSame(404, Connection::fetch($url . $uri)->status, $uri);
        }
        self::assertMatchesRegularExpression('/^nginx [0-9.]+, php-fpm [0-9.]+, 3 workers$/', $server->version());
        self::assertStringContainsString($this->directory, $server->command());
    }

    public function testThePidsAreThoseOfTheWorkersTooAndAllEnd(): void
    {
        mkdir($this->directory . '/scripts');
        file_put_contents($this->directory . '/scripts/pid.php', '<?php echo getmypid();');
        $server = new Fpm($this->directory . '/f', $this->directory . '/scripts', 2);
        $pids = $server->endpoint()->pids;

        self::assertContains(
            (int) (Connection::fetch(($server->endpoint()->extra['url'] ?? '') . '/pid.php')->body),
            $pids,
        );
        self::assertGreaterThanOrEqual(5, \count($pids));
        $server->stop();
        self::assertFalse($server->isRunning());
        self::assertSame([], $server->endpoint()->pids);
        self::assertEnd($pids);
    }

    public function testADirectoryThatIsNotThereIsRefused(): void
    {
        $this->expectException(ServerFailed::class);
        $this->expectExceptionMessage('is no directory');
        new Fpm($this->directory . '/f', $this->directory . '/nothing');
    }

    public function testTextIsAsLongAsWantedAndAlwaysTheSame(): void
    {
        foreach ([1, 7, 200, 5_000, 5_001] as $bytes) {
            $text = PageScripts::text($bytes);
            self::assertSame($bytes, \strlen($text));
            self::assertSame($text, trim($text));
            self::assertSame($text, PageScripts::text($bytes));
            self::assertSame($text, htmlspecialchars($text));
        }
    }

    public function testEveryRungSendsTheWholeBody(): void
    {
        $scripts = new PageScripts($this->directory);
        $body = PageScripts::text(2_042);
        foreach (["it's a \\ page\n<p>\$x</p>", $body] as $sent) {
            $scripts->echo('echo', $sent);
            self::assertSame($sent, shell_exec("php -n {$this->directory}/echo.php"));
            foreach (PageScripts::INCLUDES as $files) {
                $scripts->including('include', $sent, $files);
                self::assertSame($sent, shell_exec("php -n {$this->directory}/include.php"));
            }
        }
        rename($this->directory . '/include/part-57.php', $this->directory . '/away.php');
        self::assertStringNotContainsString(
            $body,
            (string) shell_exec("php -n -d display_errors=0 {$this->directory}/include.php"),
        );
    }
}
