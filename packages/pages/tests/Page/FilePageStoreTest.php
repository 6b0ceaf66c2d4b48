<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Dependency\Change;
use Larder\Page\FilePageStore;
use Larder\Page\PageStore;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Testbed\TemporaryDirectory;
use Larder\Testing\PageStoreContract;
use Larder\Tests\Support\NewsSite;
use PHPUnit\Framework\Attributes\CoversClass;

#[CoversClass(FilePageStore::class)]
final class FilePageStoreTest extends PageStoreContract
{
    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        parent::setUp();
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    protected function open(): PageStore
    {
        return new FilePageStore($this->directory->path, 'r1');
    }

    /** Its nginx would go on to serve them. */
    public function testOfPagesOnAnotherHostNothingChanges(): void
    {
        $news = new NewsSite();
        $on = static fn(string $host): SqlLedger => (new SqlLedger(
            $news->connect(),
            new FilePageStore($news->site->pages, 'r1', host: $host),
            'r1',
        ))->follow();
        try {
            $on('one')->deploy();
            $write = static fn(SqlLedger $ledger) => $ledger->transaction(
                static fn(Change $change) => $change->name('news:4', trust: true),
            );
            $write($on('two'));
            // Another host has no such file, as this one has none after it was started anew.
            unlink($news->site->pages . '/ledger');
            $two = $on('two');
            foreach ([$write, static fn() => $two->deploy(), static fn() => $two->flush()] as $step) {
                try {
                    $step($two);
                    self::fail('The other host has the pages.');
                } catch (LedgerUnavailable $failed) {
                    self::assertStringContainsString('of another host', $failed->getMessage());
                }
            }
            $one = $on('one');
            $write($one);
            $one->flush();
            $write($two);
        } finally {
            $news->remove();
        }
    }
}
