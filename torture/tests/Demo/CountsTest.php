<?php

declare(strict_types=1);

namespace Larder\Torture\Tests\Demo;

use App\Schema;
use Larder\Torture\Demo\CountingPdo;
use Larder\Torture\Demo\WrkResult;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(CountingPdo::class)]
#[CoversClass(WrkResult::class)]
final class CountsTest extends TestCase
{
    public function testCountsEveryStatementOnce(): void
    {
        $database = new CountingPdo('sqlite::memory:', Schema::registry());
        $database->exec('CREATE TABLE news (id INTEGER PRIMARY KEY, category TEXT)');
        self::assertSame(1, $database->statements());

        $database->beginTransaction();
        $database->run('INSERT INTO news (category) VALUES (?)', ['a']);
        $database->select('SELECT * FROM news', []);
        $database->commit();
        self::assertSame(4, $database->statements(), 'BEGIN, INSERT, SELECT, COMMIT');
        self::assertSame(0, $database->statements(), 'since it was last asked');
    }

    public function testARateIsOverTheTimeThatPassed(): void
    {
        self::assertSame(2500.0, (new WrkResult(5000, 1, 2_000_000, 1, 1, 1, 0, 0))->rate());
    }
}
