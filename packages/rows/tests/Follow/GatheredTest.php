<?php

declare(strict_types=1);

namespace Larder\Tests\Follow;

use Larder\Dependency\Name;
use Larder\Follow\Committed;
use Larder\Follow\Facts;
use Larder\Follow\Gathered;
use Larder\Follow\Position;
use Larder\Follow\RowChange;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Table;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** However much comes from the log, the room that it takes is bounded. */
#[CoversClass(Gathered::class)]
final class GatheredTest extends TestCase
{
    public function testATransactionOfManyRowsTakesTheRoomOfAFewAndEndsItsTable(): void
    {
        $gathered = self::gathered();
        $this->change($gathered, 1, 1_000);
        $before = memory_get_usage();
        $this->change($gathered, 1_001, 200_000);
        self::assertLessThan(65_536, memory_get_usage() - $before);
        $gathered->add(new Committed(new Position('log.000001', 4)));
        self::assertSame(['item!'], self::names($gathered));
        self::assertSame(200_000, $gathered->rows());
    }

    public function testManySmallTransactionsAreDueBeforeTheyTakeRoom(): void
    {
        $gathered = self::gathered();
        $row = 0;
        while (!$gathered->isDue()) {
            self::assertLessThan(1_000, ++$row);
            $this->change($gathered, $row, $row);
            $gathered->add(new Committed(new Position('log.000001', $row), (string) $row));
        }
        self::assertCount($row + 1, self::names($gathered), 'Each row, and the table once.');
        $gathered->done();
        self::assertFalse($gathered->isDue());
        self::assertSame([], self::names($gathered));
    }

    private static function gathered(): Gathered
    {
        $registry = new Registry(new Table('item', 'id', ['id' => ColumnType::Integer], []));

        return new Gathered($registry, new class implements Facts {
            public function schema(): string
            {
                return 'site';
            }

            public function refresh(): void {}

            public function row(Table $table, array $image, array $columns, bool $isBefore): array
            {
                return ['id' => (string) ($image[1] ?? '')];
            }

            public function own(RowChange $change, string $column, int $number): ?string
            {
                return null;
            }

            public function children(RowChange $change): array
            {
                return [];
            }
        }, 1024);
    }

    private function change(Gathered $gathered, int $from, int $to): void
    {
        for ($row = $from; $row <= $to; ++$row) {
            $gathered->add(new RowChange('site', 'item', null, [1 => (string) $row], true));
        }
    }

    /** @return list<string> */
    private static function names(Gathered $gathered): array
    {
        return array_map(static fn(Name $name): string => $name->name, $gathered->untold());
    }
}
