<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Larder\Dependency\Name;
use Larder\Sql\Reading\Column;
use Larder\Sql\Reading\Constant;
use Larder\Sql\Reading\Grammar;
use Larder\Sql\Reading\Lexer;
use Larder\Sql\Reading\Parser;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Table;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\Statement;
use Larder\Tests\Support\Sql\Choices;
use Larder\Tests\Support\Sql\Pieces;
use PDO;
use PDOException;
use PDOStatement;
use PHPUnit\Framework\Assert;

/** Three small tables of a real server: each row that the names of a read do not cover is changed, one by one. */
final readonly class DisturbedRows
{
    private const ROWS = [
        'news' => [
            [1, 5, 1, 'net'], [2, 6, 2, 'web'], [3, null, null, null], [4, 5, 1, 'web'], [5, 7, 2, 'a'],
            [6, 5, 3, "it's"],
        ],
        'comment' => [
            [1, 1, 1, 'bob'], [2, 1, 2, 'eve'], [3, 2, 1, null], [4, null, 2, 'eve'], [5, 4, 1, 'net'], [6, 9, 3, 'x'],
        ],
        'word' => [[1, 1, 'net'], [2, 1, 'web'], [3, 2, 'net'], [4, null, 'a'], [5, 4, 'bob']],
    ];

    public Registry $registry;

    public function __construct(private PDO $database, string $text)
    {
        $integer = ColumnType::Integer;
        $tables = [
            'news' => ['id' => $integer, 'category' => $integer, 'points' => $integer, 'title' => ColumnType::Text],
            'comment' => ['id' => $integer, 'news_id' => $integer, 'kind' => $integer, 'author' => ColumnType::Text],
            'word' => ['id' => $integer, 'news_id' => $integer, 'word' => ColumnType::Text],
        ];
        $sets = [
            'news' => [['category'], ['title'], ['category', 'points']],
            'comment' => [['news_id'], ['author']],
            'word' => [['word']],
        ];
        $made = [];
        foreach ($tables as $name => $columns) {
            $written = array_map(
                static fn(string $column, ColumnType $type): string => $column
                    . ($type === $integer ? ' INTEGER' : " $text") . ($column === 'id' ? ' PRIMARY KEY' : ''),
                array_keys($columns),
                $columns,
            );
            $database->exec("CREATE TABLE $name (" . implode(', ', $written) . ')');
            foreach (self::ROWS[$name] as $row) {
                $this->run("INSERT INTO $name VALUES (" . implode(', ', array_fill(0, \count($row), '?')) . ')', $row);
            }
            $made[] = new Table($name, 'id', $columns, $sets[$name], array_keys($columns));
        }
        $this->registry = new Registry(...$made);
    }

    /**
     * @param array<array-key, int|string|null> $parameters
     *
     * @return string the names, sorted; `~` before them if the result depends on more than tables; `!`: refused
     */
    public function names(string $sql, Grammar $grammar, array $parameters = []): string
    {
        $reads = new RecordedReads($this->registry);
        $statement = Statement::parse($sql, $grammar);
        $reads->statement($statement, static fn(int $position, ?string $name): ?array => match (true) {
            \array_key_exists($name ?? '', $parameters) => [$parameters[$name ?? '']],
            \array_key_exists($position - 1, $parameters) => [$parameters[$position - 1]],
            default => null,
        });
        $names = array_filter($reads->names(), static fn(string $name): bool => !str_ends_with($name, '!'));

        return $reads->refusal() !== null ? '!' : ($reads->clock() === null ? '' : '~') . implode(' ', $names);
    }

    /**
     * The result stays as it is whatever happens to a row that no name covers.
     *
     * @param list<string>                      $names
     * @param array<array-key, int|string|null> $parameters
     *
     * @return int how many changes were tried
     */
    public function disturb(string $sql, array $names, array $parameters = []): int
    {
        $before = $this->found($sql, $parameters);
        $tried = 0;
        foreach ($this->registry->tables() as $table) {
            if (\in_array($table->name, $names, true)) {
                continue;
            }
            foreach ($this->changes($table, $names) as [$change, $values]) {
                ++$tried;
                $this->database->beginTransaction();
                $this->run($change, $values);
                $found = $this->found($sql, $parameters);
                $this->database->rollBack();
                Assert::assertSame(
                    $before,
                    $found,
                    "$sql reads " . implode(' ', $names) . ": $change " . json_encode($values),
                );
            }
        }

        return $tried;
    }

    /**
     * @param list<string> $names
     *
     * @return iterable<array{string, list<int|string|null>}>
     */
    private function changes(Table $table, array $names): iterable
    {
        $columns = array_keys($table->columns);
        foreach (self::ROWS[$table->name] as $values) {
            $row = array_combine($columns, $values);
            if (self::isFree($table, $row, $names)) {
                yield ["DELETE FROM $table->name WHERE id = ?", [$row['id']]];
            }
            foreach (\array_slice($columns, 1) as $column) {
                $others = $table->columns[$column] === ColumnType::Integer ? [4, 5, null] : ['web', 'eve', null];
                foreach ($others as $other) {
                    $new = [$column => $other] + $row;
                    $isFree = self::isFree($table, $row, $names) && self::isFree($table, $new, $names);
                    if ($other !== $row[$column] && $isFree) {
                        yield ["UPDATE $table->name SET $column = ? WHERE id = ?", [$other, $row['id']]];
                    }
                }
            }
        }
        foreach ([0, 7, 9] as $id) {
            foreach ([4, 5] as $number) {
                foreach (['net', 'eve', 'x'] as $text) {
                    $row = ['id' => $id];
                    foreach (\array_slice($columns, 1) as $column) {
                        $row[$column] = $table->columns[$column] === ColumnType::Integer ? $number : $text;
                    }
                    if (self::isFree($table, $row, $names)) {
                        $marks = implode(', ', array_fill(0, \count($row), '?'));
                        yield ["INSERT INTO $table->name VALUES ($marks)", array_values($row)];
                    }
                }
            }
        }
    }

    /**
     * @param array<string, int|string|null> $row
     * @param list<string>                   $names
     */
    private static function isFree(Table $table, array $row, array $names): bool
    {
        return array_intersect(self::emitted($table, $row), $names) === [];
    }

    /**
     * @param array<string, int|string|null> $row
     *
     * @return list<string> what a change of the row makes known
     */
    private static function emitted(Table $table, array $row): array
    {
        return array_map(strval(...), [
            $table->row($row['id'] ?? 0),
            ...array_map(
                static fn(array $set): Name => $table->set(array_intersect_key($row, array_flip($set))),
                $table->sets,
            ),
        ]);
    }

    /**
     * @param array<array-key, int|string|null> $parameters
     *
     * @return list<string> the rows as texts, sorted
     */
    private function found(string $sql, array $parameters): array
    {
        $rows = array_map(json_encode(...), $this->run($sql, $parameters)->fetchAll(PDO::FETCH_NUM));
        sort($rows);

        return array_map(strval(...), $rows);
    }

    /** @param array<array-key, int|string|null> $parameters */
    private function run(string $sql, array $parameters): PDOStatement
    {
        $statement = $parameters === [] ? $this->database->query($sql) : $this->database->prepare($sql);
        Assert::assertInstanceOf(PDOStatement::class, $statement);
        if ($parameters !== []) {
            $statement->execute($parameters);
        }

        return $statement;
    }

    /**
     * Random conditions on a table with a row for each combination of values: a row that the server finds must fulfil
     * what the parser found.
     *
     * @param non-empty-list<string> $before   an operand
     * @param non-empty-list<string> $operands
     * @param non-empty-list<string> $behind   an operand
     * @param non-empty-list<string> $between  operands
     *
     * @return int how many conditions the server understood and the parser narrowed
     */
    public function conditions(
        Grammar $grammar,
        array $before,
        array $operands,
        array $behind,
        array $between,
        int $rounds,
    ): int {
        $this->database->exec('DROP TABLE IF EXISTS t');
        $this->database->exec('CREATE TABLE t (id INTEGER, c INTEGER, d INTEGER)');
        $values = ['0', '1', '2', 'NULL'];
        foreach ($values as $id) {
            foreach ($values as $c) {
                $rows = implode(', ', array_map(static fn(string $d): string => "($id, $c, $d)", $values));
                $this->database->exec('INSERT INTO t VALUES ' . $rows);
            }
        }
        $pieces = new Pieces(new Choices(15));
        $narrowed = 0;
        for ($round = 0; $round < $rounds; ++$round) {
            $sql = 'SELECT id, c, d FROM t WHERE' . $pieces->condition($before, $operands, $behind, $between);
            $ends = [];
            $tokens = Lexer::tokens($sql, $grammar, $ends);
            $equalities = $tokens === null
                ? []
                : Parser::parse($sql, $tokens, $ends, $grammar)->selects[0]->equalities ?? [];
            if ($equalities === []) {
                continue;
            }
            try {
                /** @var list<array<string, int|null>> $found */
                $found = $this->run($sql, [])->fetchAll(PDO::FETCH_ASSOC);
            } catch (PDOException) {
                continue;
            }
            ++$narrowed;
            foreach ($equalities as $equality) {
                foreach ($found as $row) {
                    $to = $equality->to instanceof Column
                        ? [$row[$equality->to->name]]
                        : array_map(static fn(Constant $one): int|string|null => $one->value(null), $equality->to);
                    Assert::assertNotNull($row[$equality->column->name], $sql);
                    Assert::assertContains($row[$equality->column->name], $to, $sql);
                }
            }
        }

        return $narrowed;
    }
}
