<?php

declare(strict_types=1);

namespace Larder\Tests\Dependency;

use Larder\Dependency\ColumnType;
use Larder\Dependency\RecordingPdo;
use Larder\Dependency\Registry;
use Larder\Dependency\Table;
use Larder\Dependency\TrackedConnection;
use Larder\Dependency\Tracker\KeyedRows;
use Larder\Dependency\Tracker\RowImages;
use Larder\Dependency\Tracker\Writes;
use LogicException;
use PDO;
use PDOException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Psr\Log\NullLogger;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * The same generated statements on a plain PDO and on a RecordingPdo: they answer and leave the same, and each row that
 * has changed was named, as it was and as it is.
 *
 * @phpstan-type Generated array{string, list<int|string|null>}
 */
#[CoversClass(RecordingPdo::class)]
#[CoversClass(Writes::class)]
#[CoversClass(RowImages::class)]
final class SameAsPdoTest extends TestCase
{
    private const TABLES = ['item', 'part'];

    private const TRANSACTIONS = 150;

    private const ITEM = 'CREATE TABLE item (id INTEGER PRIMARY KEY, kind TEXT, owner TEXT COLLATE NOCASE, size INT,'
        . ' code TEXT UNIQUE)';

    private const PART = 'CREATE TABLE part (id INTEGER PRIMARY KEY, item_id INTEGER, kind TEXT';

    private Randomizer $random;

    /** @var list<string> names that were announced */
    private array $announced = [];

    /** @return iterable<string, array{list<string>}> */
    public static function schemas(): iterable
    {
        yield 'plain' => [[self::ITEM, self::PART . ')']];
        foreach (['CASCADE', 'SET NULL', 'RESTRICT', 'SET DEFAULT'] as $action) {
            yield "ON DELETE $action" => [[
                self::ITEM,
                self::PART . ", FOREIGN KEY (item_id) REFERENCES item (id) ON DELETE $action ON UPDATE $action)",
            ]];
        }
        yield 'a trigger into the other table' => [[
            self::ITEM,
            self::PART . ')',
            "CREATE TRIGGER a AFTER UPDATE ON item BEGIN UPDATE part SET kind = NEW.kind WHERE item_id = NEW.id; END",
        ]];
        yield 'triggers into its own' => [[
            self::ITEM,
            self::PART . ')',
            "CREATE TRIGGER a AFTER INSERT ON item BEGIN UPDATE item SET size = 1 WHERE id < NEW.id; END",
            "CREATE TRIGGER b BEFORE UPDATE OF kind ON item BEGIN UPDATE item SET owner = NEW.kind; END",
            "CREATE TRIGGER c BEFORE DELETE ON part WHEN OLD.kind = 'a' BEGIN SELECT RAISE(IGNORE); END",
        ]];
        yield 'a trigger that stops' => [[
            self::ITEM,
            self::PART . ')',
            "CREATE TRIGGER a BEFORE UPDATE ON item WHEN OLD.size > 2 BEGIN SELECT RAISE(FAIL, 'no'); END",
            "CREATE TRIGGER b BEFORE DELETE ON item WHEN OLD.size > 3 BEGIN SELECT RAISE(ROLLBACK, 'no'); END",
        ]];
        yield 'constraints that replace' => [[
            str_replace('UNIQUE', 'UNIQUE ON CONFLICT REPLACE', self::ITEM),
            self::PART . ', UNIQUE (item_id, kind) ON CONFLICT FAIL)',
        ]];
        yield 'other keys' => [[
            str_replace('INTEGER PRIMARY KEY', 'INT PRIMARY KEY', self::ITEM),
            self::PART . ') WITHOUT ROWID',
        ]];
        yield 'other unique constraints' => [[
            str_replace('INTEGER PRIMARY KEY', 'INTEGER NOT NULL', self::ITEM),
            self::PART . ", note TEXT NOT NULL DEFAULT 'a', UNIQUE (item_id, kind))",
            'CREATE UNIQUE INDEX a ON item (id)',
            'CREATE UNIQUE INDEX b ON item (code COLLATE NOCASE, owner) WHERE size > 2',
        ]];
        yield 'generated columns' => [[
            str_replace('kind TEXT', "kind TEXT AS (CASE WHEN size > 2 THEN 'b' ELSE 'a' END)", self::ITEM),
            self::PART . ')',
        ]];
    }

    /** @param list<string> $schema */
    #[DataProvider('schemas')]
    public function testAnswersNamesAndWhatIsLeft(array $schema): void
    {
        $this->random = new Randomizer(new Xoshiro256StarStar(crc32(implode('', $schema))));
        $registry = new Registry(
            new Table('item', 'id', [
                'id' => ColumnType::Integer,
                'kind' => ColumnType::Text,
                'owner' => ColumnType::TextNoCase,
                'size' => ColumnType::Integer,
            ], [['kind'], ['owner'], ['kind', 'size']]),
            new Table('part', 'id', ['id' => ColumnType::Integer, 'item_id' => ColumnType::Integer], [['item_id']]),
        );
        $ours = new RecordingPdo('sqlite::memory:', $registry, logger: new NullLogger());
        $plain = new PDO('sqlite::memory:', options: [PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC]);
        foreach ([...$schema, 'PRAGMA foreign_keys = ON', 'CREATE TABLE larder_ledger (one)'] as $sql) {
            $ours->exec($sql);
            $plain->exec($sql);
        }
        $ours->announceBy(function (TrackedConnection $writer, array $names): void {
            $this->announced = [...$this->announced, ...array_map(strval(...), $names)];
            $writer->writes()->clear();
        });
        $exact = 0;
        for ($transaction = 0; $transaction < self::TRANSACTIONS; ++$transaction) {
            $before = self::rows($ours);
            $this->announced = $ran = [];
            $trace = '';
            $isAlone = $this->random->getInt(0, 2) === 0;
            $begin = ['BEGIN', 'BEGIN IMMEDIATE', 'SAVEPOINT a', ''][$this->random->getInt(0, 3)];
            $wanted = $isAlone ? [$this->write(false)] : [
                [$begin === '' ? 'BEGIN' : $begin, []],
                ...array_map(fn(): array => $this->inside(), range(1, $this->random->getInt(1, 5))),
                [$begin === 'SAVEPOINT a' ? 'RELEASE a' : 'COMMIT', []],
            ];
            foreach ($wanted as [$sql, $values]) {
                if (str_contains($sql, 'RETURNING') && !$ours->inTransaction()) {
                    continue;
                }
                $mode = $this->random->getInt(0, 3);
                $ran[] = $sql . ' ' . json_encode($values);
                $trace = implode("\n", $ran);
                self::assertSame(
                    self::outcome($plain, $sql, $values, $mode),
                    self::outcome($ours, $sql, $values, $mode),
                    $trace,
                );
            }
            if ($ours->inTransaction()) {
                // A savepoint began another one behind a ROLLBACK.
                self::assertSame(self::outcome($plain, 'COMMIT', [], 0), self::outcome($ours, 'COMMIT', [], 0));
            }
            $after = self::rows($ours);
            self::assertSame(self::rows($plain), $after, $trace);
            foreach (self::TABLES as $table) {
                $missing = $this->missing($registry->get($table), $before[$table], $after[$table]);
                self::assertSame([], $missing ?? [], $trace);
                $exact += $missing !== null && $before[$table] !== $after[$table] ? 1 : 0;
            }
        }
        self::assertGreaterThan(5, $exact, 'Most of it is followed row by row.');
    }

    /**
     * @param list<int|string|null> $values
     *
     * @return list<mixed> all that an application can see
     */
    private static function outcome(PDO $database, string $sql, array $values, int $mode): array
    {
        $seen = [];
        try {
            $query = str_contains($sql, 'RETURNING');
            if (($mode === 0 && !$query) || preg_match('/^(UPDATE|INSERT|DELETE|REPLACE)/', $sql) !== 1) {
                $seen[] = $database->exec(self::inlined($sql, $values));
            } elseif ($mode < 2) {
                $statement = $database->query(self::inlined($sql, $values));
            } else {
                $statement = $database->prepare($mode === 2 ? $sql : self::named($sql));
                foreach ($mode === 2 ? $values : [] as $i => $value) {
                    $statement->bindValue($i + 1, $value, \is_int($value) ? PDO::PARAM_INT : PDO::PARAM_STR);
                }
                $seen[] = $statement->execute($mode === 2 ? null : $values);
            }
            if (isset($statement)) {
                $seen[] = $query ? $statement->fetchAll() : [$statement->rowCount(), $statement->columnCount()];
                $seen[] = $statement->errorInfo();
            }
        } catch (PDOException $exception) {
            $seen[] = [$exception->getMessage(), $exception->getCode(), $exception->errorInfo];
        }
        $seen[] = $database->lastInsertId();
        $seen[] = self::all($database, 'SELECT last_insert_rowid() AS inserted, changes() AS changed');

        return $seen;
    }

    /** @return Generated */
    private function inside(): array
    {
        return match ($this->random->getInt(0, 9)) {
            0 => ['SAVEPOINT b', []],
            1 => ['ROLLBACK TO b', []],
            2 => ['RELEASE b', []],
            default => $this->write(true),
        };
    }

    /** @return Generated */
    private function write(bool $mayReturn): array
    {
        $returns = $mayReturn && $this->random->getInt(0, 4) === 0 ? ' RETURNING *' : '';
        $or = $this->one(['', '', '', ' OR IGNORE', ' OR FAIL', ' OR ABORT', ' OR ROLLBACK', ' OR REPLACE']);
        $isItem = $this->random->getInt(0, 2) > 0;
        $table = $isItem ? 'item' : 'part';
        [$where, $found] = $this->condition($isItem);
        $some = $this->random->getInt(0, 9) === 0 ? ['', []] : [" WHERE $where", $found];
        switch ($this->random->getInt(0, 6)) {
            case 0:
            case 1:
                [$set, $values] = $this->assignments($isItem);

                return ["UPDATE$or $table SET $set$some[0]$returns", [...$values, ...$some[1]]];
            case 2:
                return ["DELETE FROM $table WHERE $where$returns", $found];
            case 3:
                return $this->random->getInt(0, 1) === 0
                    ? ["INSERT$or INTO $table DEFAULT VALUES$returns", []]
                    : ["INSERT$or INTO $table (id) SELECT id + 7 FROM part WHERE id < ?$returns", [$this->number()]];
            default:
                return $this->insert($isItem, $or, $returns);
        }
    }

    /** @return Generated */
    private function insert(bool $isItem, string $or, string $returns): array
    {
        $columns = $isItem ? ['owner', 'size', 'code'] : ['item_id', 'kind'];
        $columns = $this->random->getInt(0, 2) === 0 ? ['id', ...$columns] : $columns;
        $rows = $this->random->getInt(0, 2) === 0 ? $this->random->getInt(2, 3) : 1;
        $values = [];
        for ($row = 0; $row < $rows; ++$row) {
            foreach ($columns as $column) {
                $values[] = $this->value($column);
            }
        }
        $conflict = $this->one([
            '',
            '',
            ' ON CONFLICT DO NOTHING',
            ' ON CONFLICT (id) DO UPDATE SET ' . ($isItem ? 'owner = excluded.owner' : 'item_id = 4'),
            ' ON CONFLICT DO UPDATE SET ' . ($isItem ? "size = size + 1, code = code || 'q'" : "kind = 'b'"),
            ' ON CONFLICT (id) DO UPDATE SET id = id + 3 ON CONFLICT DO UPDATE SET id = id + 4',
        ]);

        return [\sprintf(
            'INSERT%s INTO %s (%s) VALUES %s%s%s',
            $or,
            $isItem ? 'item' : 'part',
            implode(', ', $columns),
            implode(', ', array_fill(0, $rows, '(' . implode(', ', array_fill(0, \count($columns), '?')) . ')')),
            $conflict,
            $returns,
        ), $values];
    }

    /** @return Generated */
    private function assignments(bool $isItem): array
    {
        return $this->pick($isItem ? [
            ['owner = ?', [$this->value('owner')]],
            ['size = ?, owner = ?', [$this->value('size'), $this->value('owner')]],
            ['size = size + ?', [1]],
            ['(size, owner) = (?, lower(owner))', [$this->value('size')]],
            ['code = ?', ['x' . $this->number()]],
            ['size = (SELECT count(*) FROM part WHERE item_id = item.id)', []],
            ['id = id + ?', [$this->number()]],
        ] : [
            ['item_id = ?', [$this->value('item_id')]],
            ['kind = ?', [$this->value('kind')]],
            ['kind = ?, item_id = item_id + 1', [$this->value('kind')]],
        ]);
    }

    /** @return Generated */
    private function condition(bool $isItem, int $depth = 0): array
    {
        $one = fn(): array => $this->condition($isItem, $depth + 1);
        if ($depth < 2 && $this->random->getInt(0, 2) === 0) {
            [[$left, $first], [$right, $second]] = [$one(), $one()];

            return $this->pick([
                ["$left AND $right", [...$first, ...$second]],
                ["$left OR $right", [...$first, ...$second]],
                ["NOT ($left) AND $right", [...$first, ...$second]],
            ]);
        }

        return $this->pick([
            ['id = ?', [$this->number()]],
            ['id = ?', [$this->number()]],
            ['id IN (?, ?)', [$this->number(), $this->number()]],
            ['id BETWEEN ? AND ?', [$this->number(), $this->number()]],
            ['kind = ?', [$this->value('kind')]],
            ['lower(kind) LIKE ?', ['a%']],
            ["'4' = id", []],
            ...($isItem ? [
                ['owner = ?', [$this->value('owner')]],
                ['size IS NOT ?', [$this->value('size')]],
                ['item.size > ?', [$this->number()]],
                ["CASE owner WHEN 'bob' THEN size ELSE id END = ?", [$this->number()]],
                ['(id, size) = (?, ?)', [$this->number(), $this->number()]],
                ['id = (SELECT max(id) FROM part)', []],
            ] : [
                ['item_id = ?', [$this->value('item_id')]],
                ['part.item_id ISNULL', []],
                ['EXISTS (SELECT 1 FROM item WHERE item.id = part.item_id)', []],
            ]),
        ]);
    }

    private function value(string $column): int|string|null
    {
        return match ($column) {
            'id', 'size', 'item_id' => $this->random->getInt(0, 6) === 0 ? null : $this->number(),
            'code' => $this->one(['w', 'x', 'y', 'z', null]) . $this->number(),
            'owner' => $this->one(['bob', 'Bob', 'Eve', null]),
            default => $this->one(['a', 'b', null]),
        };
    }

    private function number(): int
    {
        return $this->random->getInt(1, 9);
    }

    /**
     * @template T
     *
     * @param non-empty-list<T> $of
     *
     * @return T
     */
    private function one(array $of): mixed
    {
        return $of[$this->random->getInt(0, \count($of) - 1)];
    }

    /**
     * @param non-empty-list<Generated> $of
     *
     * @return Generated
     */
    private function pick(array $of): array
    {
        return $this->one($of);
    }

    /** @param list<int|string|null> $values */
    private static function inlined(string $sql, array $values): string
    {
        foreach ($values as $value) {
            $literal = match (true) {
                $value === null => 'NULL',
                \is_int($value) => (string) $value,
                default => "'$value'",
            };
            $sql = preg_replace('/\?/', $literal, $sql, 1) ?? throw new LogicException('It is valid.');
        }

        return $sql;
    }

    private static function named(string $sql): string
    {
        $number = 0;

        return preg_replace_callback('/\?/', static function () use (&$number): string {
            ++$number;

            return [":p$number", "?$number", '?'][$number % 3];
        }, $sql) ?? throw new LogicException('It is valid.');
    }

    /** @return list<array<string, scalar|null>> */
    private static function all(PDO|RecordingPdo $database, string $sql): array
    {
        $statement = $database->query($sql);
        /** @var list<array<string, scalar|null>> $rows */
        $rows = $statement === false ? [] : $statement->fetchAll();

        return $rows;
    }

    /** @return array<string, list<array<string, scalar|null>>> by table */
    private static function rows(PDO $database): array
    {
        $rows = [];
        foreach (self::TABLES as $table) {
            $rows[$table] = self::all($database, "SELECT * FROM $table ORDER BY id, 1, 2, 3");
        }

        return $rows;
    }

    /**
     * @param list<array<string, scalar|null>> $before
     * @param list<array<string, scalar|null>> $after
     *
     * @return list<string>|null the names that had to be announced and were not; null: the change counts as bulk
     */
    private function missing(Table $table, array $before, array $after): ?array
    {
        $names = [];
        foreach ([[$before, $after], [$after, $before]] as [$here, $there]) {
            foreach (array_filter($here, static fn(array $row): bool => !\in_array($row, $there, true)) as $row) {
                $names = [...$names, ...array_keys(KeyedRows::ofRow($table, $row) ?? ["$table->name!" => 0])];
            }
        }

        return \in_array($table->all()->name, $this->announced, true)
            ? null
            : array_values(array_diff($names, $this->announced));
    }
}
