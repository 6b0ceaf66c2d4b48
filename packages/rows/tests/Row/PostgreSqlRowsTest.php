<?php

declare(strict_types=1);

namespace Larder\Tests\Row;

use Larder\Row\Lookup;
use Larder\Row\Rows;
use Larder\Row\StoredRows;
use Larder\Row\Table;
use Larder\Testbed\Server\DatabaseKind;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;

#[CoversClass(Rows::class)]
#[CoversClass(Table::class)]
#[CoversClass(Lookup::class)]
#[CoversClass(StoredRows::class)]
#[RequiresPhpExtension('pdo_pgsql')]
final class PostgreSqlRowsTest extends ServerRowsCase
{
    protected static function kind(): DatabaseKind
    {
        return DatabaseKind::PostgreSql;
    }

    /** Its statements would see what was committed before the lock was taken. */
    public function testRowsOfASessionWhoseTransactionsSeeOneSnapshotAreReadAtAnotherLevel(): void
    {
        $reader = $this->open();
        $reader->exec('SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ');
        $news = $this->rows($reader, $this->store)->table('news');
        $news->find(5);
        self::assertSame('Four', self::title($news, 4));
        $this->store->calls = [];
        self::assertSame('Four', self::title($news, 4));
        self::assertSame(['batch Read GetOrLease'], $this->store->calls, 'The row was stored.');
        $this->writer()->exec("UPDATE news SET title = 'New' WHERE id = 4");
        self::assertSame('New', self::title($news, 4));
    }
}
