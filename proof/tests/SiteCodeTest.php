<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Larder\Page\Pages;
use Larder\Proof\Pages\Deployer;
use Larder\Proof\Pages\HotItems;
use Larder\Proof\Pages\Mark;
use Larder\Proof\Pages\PageCount;
use Larder\Proof\Pages\PagesTorture;
use Larder\Proof\Pages\SiteCode;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\Site\DeployedSite;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\PreserveGlobalState;
use PHPUnit\Framework\Attributes\RunTestsInSeparateProcesses;
use PHPUnit\Framework\TestCase;

/** In processes of their own, since the copy's classes are loaded in place of the site's. */
#[RunTestsInSeparateProcesses]
#[PreserveGlobalState(false)]
#[CoversClass(SiteCode::class)]
#[CoversClass(Deployer::class)]
final class SiteCodeTest extends TestCase
{
    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testAReleaseChangesTheRegistryAndKeepsTimesWhereItIsTold(): void
    {
        $code = SiteCode::copy(PagesTorture::site(), $this->directory->path);
        $template = $code->directory . '/templates/release.php';
        touch($template, 1_000_000);
        $code->release(7, true, true);
        clearstatcache();
        self::assertSame(7, SiteCode::shown((string) file_get_contents($template)));
        self::assertSame(1_000_000, filemtime($template));
        $registry = (string) file_get_contents($code->directory . '/src/registry.php');
        $code->release(8, false, false);
        clearstatcache();
        self::assertGreaterThan(1_000_000, filemtime($template));
        self::assertNotSame($registry, file_get_contents($code->directory . '/src/registry.php'));
    }

    public function testTheDeployersFirstStepsLeaveItsReleaseInService(): void
    {
        $root = PagesTorture::site();
        $code = SiteCode::copy($root, $this->directory->path);
        $account = Account::ableToReach($root . '/larder.php');
        $database = Database::start(DatabaseKind::Sqlite, $this->directory->path . '/data');
        HotItems::fill($database, $root);
        $site = DeployedSite::start(
            $code->directory,
            $this->directory->path . '/site',
            $database,
            2,
            user: $account->user,
        );
        try {
            $ledger = Pages::of($site->site)->ledger();
            self::assertSame($ledger->state()->read()['registry'], SiteCode::registry(false)->hash());
            $board = Board::create([PageCount::class => 1, Mark::class => 1]);
            $deployer = new Deployer([$site], $code, $account, $board, 0);
            $deployer->step(0);
            $deployer->step(1);
            foreach ([PageCount::Deploys, PageCount::DeploysKilled, PageCount::Flushes] as $event) {
                self::assertSame(1, $board->get($event), $event->name);
            }
            self::assertSame(1, $board->get(PageCount::RegistryChanges));
            self::assertSame([1, 1], [$board->get(Mark::Deployed), $board->get(Mark::Reloaded)]);
            $connection = new Connection('127.0.0.1:' . $site->running->port);
            foreach (['fwd=miss; stored', 'hit'] as $status) {
                $page = $connection->request('/news/4') ?? self::fail('no answer');
                self::assertSame(1, SiteCode::shown($page->body));
                self::assertSame($board->get(Mark::Flushed), HotItems::lastWrite($page->body));
                self::assertSame('larder; ' . $status, $page->headers['cache-status'] ?? '');
            }
            $ledger = Pages::of($site->site)->ledger();
            self::assertSame($ledger->state()->read()['registry'], SiteCode::registry(true)->hash());
        } finally {
            $site->stop();
        }
    }
}
