<?php

declare(strict_types=1);

namespace Larder\Tests\Cache;

use Larder\Cache\DeferredRefreshes;
use Larder\Cache\Refresh;
use Larder\Cache\Settings;
use Larder\Testbed\Http\FastCgi;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\PhpFpm;
use Larder\Testbed\Server\Program;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\Extension;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** Under a real php-fpm a value in grace is made anew after the response, unless the settings say otherwise. */
#[CoversClass(DeferredRefreshes::class)]
#[CoversClass(Settings::class)]
#[CoversClass(Refresh::class)]
final class RefreshTest extends TestCase
{
    private const ADDED = ', and what another function adds at the end';

    private TemporaryDirectory $directory;
    private PhpFpm $php;

    protected function setUp(): void
    {
        Extension::file();
        if (Program::find('php-fpm' . PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION) === null) {
            self::markTestSkipped('needs php-fpm');
        }
        $this->directory = new TemporaryDirectory();
        $account = Account::ableToReach(__FILE__);
        mkdir($this->path('ini'));
        mkdir($this->path('tmp'));
        file_put_contents($this->path('ini/larder.ini'), 'extension=' . Extension::file() . "\n");
        $account->own($this->directory->path);
        $environment = ['PHP_INI_SCAN_DIR' => ':' . $this->path('ini')];
        $this->php = new PhpFpm($this->directory->path, $account, 2, $environment, startup: ['larder.size' => '16M']);
    }

    protected function tearDown(): void
    {
        if (isset($this->php)) {
            $this->php->stop();
            $this->directory->remove();
        }
    }

    public function testTheResponseThatTriggersARefreshHasTheOldValueAndTheNextOneTheNew(): void
    {
        $this->ask('expire');
        self::assertSame('old' . self::ADDED, $this->ask('read'), 'it came though the compute cannot end yet');
        self::assertSame('old' . self::ADDED, $this->ask('read'), 'another process makes it');
        self::assertSame('another page of the visitor', $this->ask(''), 'the session is not locked meanwhile');
        touch($this->path('go'));

        self::assertSame('new' . self::ADDED, $this->later());
        self::assertSame(1, filesize($this->path('computes')));
    }

    public function testWhatADeferredComputeThrowsIsLoggedAndNeverReachesTheResponse(): void
    {
        $this->ask('expire');
        self::assertSame('old', $this->ask('fail'));
        for ($tries = 0; (int) @filesize($this->path('php.log')) === 0 && $tries < 3000; ++$tries) {
            usleep(10_000);
            clearstatcache();
        }

        self::assertStringContainsString(
            'Larder: the value of "k" was not made anew: RuntimeException: the database is gone',
            (string) file_get_contents($this->path('php.log')),
        );
        touch($this->path('go'));
        self::assertSame('new' . self::ADDED, $this->later(), 'the lease was given back');
    }

    /** What a read gives once it is no longer the old value. */
    private function later(): ?string
    {
        $value = $this->ask('read');
        for ($tries = 0; $value === 'old' . self::ADDED && $tries < 3000; ++$tries) {
            usleep(10_000);
            $value = $this->ask('read');
        }

        return $value;
    }

    private function ask(string $what): ?string
    {
        $page = new FastCgi($this->php->socket, __DIR__ . '/refresh.php', 30);

        return $page->get("do=$what&directory=" . $this->directory->path);
    }

    private function path(string $name): string
    {
        return $this->directory->path . '/' . $name;
    }
}
