<?php

declare(strict_types=1);

namespace Larder\Proof\Tests\Demo;

use Larder\Proof\Demo\CountingPdo;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Table;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(CountingPdo::class)]
final class CountingPdoTest extends TestCase
{
    public function testCountsEveryStatementOnce(): void
    {
        $columns = ['id' => ColumnType::Integer, 'category' => ColumnType::Text];
        $registry = new Registry(new Table('news', 'id', $columns, [['category']]));
        $database = new CountingPdo('sqlite::memory:', $registry);
        $database->exec('CREATE TABLE news (id INTEGER PRIMARY KEY, category TEXT)');
        self::assertSame(3, $database->statements(), 'two looks at the schema, CREATE');

        $database->beginTransaction();
        $database->run('INSERT INTO news (category) VALUES (?)', ['a']);
        $database->select('SELECT * FROM news', []);
        $database->commit();
        self::assertSame(7, $database->statements(), 'BEGIN, three looks at the schema, INSERT, SELECT, COMMIT');
        self::assertSame(0, $database->statements(), 'since it was last asked');
    }
}
