<?php

declare(strict_types=1);

namespace Larder\Tests\Row;

use Larder\Row\Listing;
use Larder\Row\Rows;
use Larder\Row\Table;
use Larder\Testbed\Server\DatabaseKind;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;

/** SQLite is as fast as a store, so it has the same calls and nothing is stored. */
#[CoversClass(Rows::class)]
#[CoversClass(Table::class)]
#[CoversClass(Listing::class)]
#[RequiresPhpExtension('pdo_sqlite')]
final class SqliteRowsTest extends RowsCase
{
    protected static function kind(): DatabaseKind
    {
        return DatabaseKind::Sqlite;
    }

    public function testHasTheSameCallsAndStoresNothing(): void
    {
        $news = $this->news();
        [$four] = $this->fetched('SELECT * FROM news WHERE id = 4');
        self::assertSame($four, $news->find(4));
        self::assertSame([9 => null, '4' => ['title' => 'Four']], $news->findMany([9, 4], ['title']));
        self::assertSame($four, $news->findBy(['slug' => 'four']));
        self::assertSame([4, 5], array_column($news->findAll('category', 5), 'id'));
        self::assertSame([6, 5], array_column((new Listing($news, [], ['published' => 'desc'], 2))->rows(), 'id'));
        self::assertSame(0, $this->store->trips);
        $this->plain()->exec("UPDATE news SET title = 'New' WHERE id = 4");
        self::assertSame(['title' => 'New'], $news->find(4, ['title']));
    }

    public function testANameThatIsNoColumnsReachesNoQuery(): void
    {
        $this->assertNoOtherNameThanAColumnsReachesAQuery();
    }
}
