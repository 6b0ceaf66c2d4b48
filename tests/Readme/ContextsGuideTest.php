<?php

declare(strict_types=1);

namespace Larder\Tests\Readme;

use Larder\Tests\Support\GuideSite;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;

/** Runs the site of docs/how-to/contexts.md on nginx and php-fpm: who logs in has the context until it is revoked. */
#[CoversNothing]
final class ContextsGuideTest extends TestCase
{
    private ?GuideSite $site = null;

    protected function tearDown(): void
    {
        $this->site?->stop();
    }

    public function testWhoLogsInHasTheContextUntilItIsRevoked(): void
    {
        $controller = "#[Larder\\Page\\Attribute\\Reads]\nclass NewsController {}\n";
        $site = $this->site = new GuideSite(
            'contexts.md',
            ['NewsController.php' => $controller],
            static fn(GuideSite $site): string => $site->larder('contexts:secret'),
        );
        self::assertSame(['larder.php', 'public/index.php'], $site->shown);
        self::assertSame('for editors only', $site->ask('/desk')->body);

        $login = $site->ask('/login');
        $setting = (string) $login->header('set-cookie');
        self::assertStringEndsWith('; HttpOnly; SameSite=Lax; Secure', $setting);
        $cookie = 'Cookie: ' . strtok($setting, ';');
        $desk = $site->ask('/desk', [$cookie]);
        self::assertSame('the desk', $desk->body);
        self::assertMatchesRegularExpression(
            '/^larder; fwd=miss; detail="the render read the context by Context::value\(\'role\'\) at index.php:21, '
                . 'which the key/',
            (string) $desk->header('cache-status'),
        );
        self::assertSame('for editors only', $site->ask('/desk')->body);
        self::assertSame('larder; fwd=miss; stored', $site->ask('/', [$cookie])->header('cache-status'));
        self::assertSame('larder; hit', $site->ask('/')->header('cache-status'));
        self::assertStringContainsString('Max-Age=0', (string) $site->ask('/logout')->header('set-cookie'));

        $pid = $site->path('nginx/nginx.pid');
        $site->nginx->reload(fn() => $site->larder('contexts:revoke', "--reload=kill -HUP $(cat $pid)"));
        self::assertSame('for editors only', $site->ask('/desk', [$cookie])->body);
        $new = 'Cookie: ' . strtok((string) $site->ask('/login')->header('set-cookie'), ';');
        self::assertSame('the desk', $site->ask('/desk', [$new])->body);
    }
}
