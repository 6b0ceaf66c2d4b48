<?php

declare(strict_types=1);

namespace App\Tests\Site;

use App\Controller\ItemPage;
use App\Repository\CachedItems;
use App\Tests\Repository\CachedTables;
use Closure;
use Larder\Dependency\LedgerVersions;
use Larder\Dependency\RowChange;
use Larder\Page\FilePageStore;
use Larder\Page\PageCache;
use Larder\Page\PageRequest;
use Larder\Page\Pages;
use Larder\Page\Release;
use Larder\Page\Response;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** A page whose row comes out of the cache was made from that row's data, although it asked the database nothing. */
#[CoversClass(CachedItems::class)]
#[CoversClass(LedgerVersions::class)]
#[CoversClass(PageCache::class)]
final class SharedRowTest extends TestCase
{
    private CachedTables $tables;

    private int $item;

    protected function setUp(): void
    {
        $this->tables = new CachedTables();
        $this->item = $this->tables->add('glass jar', 'glass');
        $this->tables->add('tin jar', 'metal');
        $this->tables->items->get($this->item);
        $this->tables->database->reads();
    }

    protected function tearDown(): void
    {
        $this->tables->remove();
    }

    public function testThePageGoesWhenTheRowChanges(): void
    {
        self::assertSame('larder; fwd=miss; stored', $this->visit());
        self::assertSame(0, $this->tables->database->reads(), 'The row came out of the cache.');
        self::assertSame('larder; hit', $this->visit());

        $this->tables->edit(2, 'tin can', 'another one', 'metal');
        self::assertSame('larder; hit', $this->visit(), 'Another row.');

        $this->tables->edit($this->item, 'glass jar', 'edited', 'glass');
        self::assertNull($this->stored());
        self::assertSame('larder; fwd=miss; stored', $this->visit());
        self::assertStringContainsString('edited', (string) $this->stored());
    }

    /** @return iterable<string, array{string, bool}> what changes, whether the page may be stored */
    public static function changes(): iterable
    {
        yield 'its row' => ['item', false];
        yield 'another row' => ['other', true];
        yield 'all rows' => ['bulk', false];
    }

    #[DataProvider('changes')]
    public function testAChangeBetweenTheRowAndThePageIsSeen(string $what, bool $stored): void
    {
        $writer = new CachedTables(of: $this->tables);
        $status = $this->visit(fn() => match ($what) {
            'item' => $writer->edit($this->item, 'glass jar', 'edited meanwhile', 'glass'),
            'other' => $writer->edit(2, 'tin can', 'edited meanwhile', 'metal'),
            default => $writer->change(static fn(RowChange $change) => $change->bulk('news')),
        });

        self::assertSame(0, $this->tables->database->reads(), 'The row came out of the cache.');
        self::assertSame(
            [$stored, $stored],
            [$status === 'larder; fwd=miss; stored', $this->stored() !== null],
            $status,
        );
        self::assertSame($stored ? 'larder; hit' : 'larder; fwd=miss; stored', $this->visit());
        self::assertStringContainsString($what === 'item' ? 'edited meanwhile' : 'Summary', (string) $this->stored());
    }

    /**
     * @param Closure(): mixed $meanwhile happens after the row was taken, before the page is stored
     *
     * @return string what became of it
     */
    private function visit(?Closure $meanwhile = null): string
    {
        $pages = Pages::of($this->tables->site)->pageCache($this->tables->database);
        $answer = $pages->answer(new PageRequest(
            'GET',
            '/news/' . $this->item,
            false,
        ), ItemPage::class, function () use ($meanwhile): Response {
            $item = $this->tables->items->get($this->item);
            if ($meanwhile !== null) {
                $meanwhile();
            }

            return new Response(200, ['content-type' => ['text/html; charset=utf-8']], $item['summary'] ?? '');
        });

        return (string) $answer->header('cache-status');
    }

    private function stored(): ?string
    {
        $path = $this->tables->site->urls->page('/news/' . $this->item);
        self::assertNotNull($path);
        $release = Release::load($this->tables->site->list)->id ?? '';

        return (new FilePageStore($this->tables->site->pages, $release))->read($path, false)?->bytes;
    }
}
