<?php

declare(strict_types=1);

namespace Larder\Torture\Tests\Statements;

use Larder\Dependency\Dialect;
use Larder\Dependency\Sql\Column;
use Larder\Dependency\Sql\Equality;
use Larder\Dependency\Sql\Lexer;
use Larder\Dependency\Sql\Parser;
use Larder\Dependency\Sql\Select;
use Larder\Dependency\Statement;
use Larder\Torture\Statements\LoggedStatement;
use Larder\Torture\Statements\StatementsPage;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** Compares what Larder reads of SQL with what another parser does, on the statements of three applications. */
#[CoversClass(Parser::class)]
#[CoversClass(Statement::class)]
final class OracleTest extends TestCase
{
    public function testTablesAndEqualitiesOfEachSelectAreThoseOfTheOracle(): void
    {
        [$compared, $equalities] = $this->compare(static fn(string $sql): array => [$sql]);

        self::assertGreaterThan(110, $compared);
        self::assertGreaterThan(140, $equalities);
    }

    /** A wrong precedence, or a condition that does not hold for all rows, would give an equality too many. */
    public function testSoAreThoseOfTextsThatWereMadeFromThem(): void
    {
        [$compared, $equalities] = $this->compare(self::changed(...));

        self::assertGreaterThan(5000, $compared);
        self::assertGreaterThan(3000, $equalities);
    }

    /**
     * @param callable(string): list<string> $texts made from a statement
     *
     * @return array{int, int} how many texts were compared, and how many equalities were found
     */
    private function compare(callable $texts): array
    {
        $compared = $equalities = 0;
        foreach (StatementsPage::dialects() as $application => $dialect) {
            foreach (LoggedStatement::listed(StatementsPage::DATA . $application . '.tsv') as $statement) {
                foreach ($texts($statement->sql) as $sql) {
                    if (str_contains($sql,'||')) continue;
                    $found = $this->same($sql, $dialect, $application === 'drupal');
                    $compared += $found === null ? 0 : 1;
                    $equalities += $found ?? 0;
                }
            }
        }

        return [$compared, $equalities];
    }

    /** @return int|null how many equalities were compared; null: one of both does not understand the text */
    private function same(string $sql, Dialect $dialect, bool $ansi): ?int
    {
        $statement = Statement::parse($sql, $dialect);
        $oracle = $statement->refusal === null ? Oracle::ask($sql, $ansi) : null;
        if ($oracle === null) {
            return null;
        }
        $sources = $statement->sources;
        sort($sources);
        self::assertSame($oracle->tables, $sources, $sql);
        $ends = [];
        $tokens = Lexer::tokens($sql, $dialect, $ends) ?? [];
        $select = Parser::parse($sql, $tokens, $ends, $dialect)->selects[0] ?? null;
        if (!$select instanceof Select) {
            return null;
        }
        $everywhere = [...$oracle->where, ...array_merge(...$oracle->on)];
        foreach ($select->equalities as $equality) {
            self::assertNotSame([], array_intersect(self::written($equality), $everywhere), $sql);
        }
        $count = \count($select->equalities);
        foreach ($select->sources as $at => $source) {
            foreach ($source->matches as $equality) {
                ++$count;
                $before = \count($select->sources) - \count($oracle->on);
                self::assertNotSame(
                    [],
                    array_intersect(self::written($equality), $oracle->on[$at - $before] ?? []),
                    $sql,
                );
            }
        }

        return $count;
    }

    /** @return list<string> in all ways that mean the same, as the oracle writes them */
    private static function written(Equality $equality): array
    {
        $column = static fn(Column $one): string => ($one->source === null ? '' : $one->source . ' . ') . $one->name;
        $left = $column($equality->column);
        if ($equality->to instanceof Column) {
            $right = $column($equality->to);

            return [$left . ' = ' . $right, $right . ' = ' . $left];
        }
        $constants = [];
        foreach ($equality->to as $constant) {
            $value = $constant->value(null);
            $constants[] = \is_string($value) ? "'" . $value . "'" : (string) $value;
        }
        $in = $left . ' in ( ' . implode(' , ', $constants) . ' )';

        return \count($constants) > 1
            ? [$in]
            : [$in, $left . ' = ' . $constants[0], $constants[0] . ' = ' . $left];
    }

    /**
     * @return list<string> the SELECT with its WHERE changed in each way that changes what holds for all rows, or that
     *     only looks as if it did
     */
    private static function changed(string $sql): array
    {
        $parts = '/^(SELECT\s.*?\sWHERE\s)(.*?)(\s(?:GROUP BY|ORDER BY|LIMIT)\s.*)?$/s';
        if (preg_match($parts, $sql, $matches) !== 1 || substr_count($sql, 'SELECT') > 1) {
            return [];
        }
        [, $head, $where] = $matches;
        $tail = $matches[3] ?? '';
        $split = '/(\'(?:[^\'\\\\]|\\\\.)*\'|\bIN ?\((?:[^()\']|\'(?:[^\'\\\\]|\\\\.)*\')*\))|\s+(AND|OR)\s+|([()])/';
        $pieces = preg_split($split, $where, -1, PREG_SPLIT_DELIM_CAPTURE | PREG_SPLIT_NO_EMPTY) ?: [];
        $changed = [
            "NOT ($where)", "NOT $where", "($where)", "(($where))", "$where OR 1 = 0", "1 = 0 OR $where",
            "$where XOR 1 = 0", "1 = 1 AND NOT ($where)", "($where) = 0", "($where) IN (0)", "($where) IS NOT NULL",
            "($where) IS NULL", "$where || 1 = 0", "$where && 1 = 1", "$where = 0", "$where IS NOT NULL", "$where IN (0)",
            "$where + 1", "($where) OR ($where)", "x.y = 1 OR ($where) AND x.z = 2", "NOT NOT ($where)", "! ($where)",
            "$where AND x BETWEEN 1 AND y = 2", "x BETWEEN 1 AND $where", "CASE WHEN $where THEN 1 END",
            "COALESCE($where, 1)", "$where <=> 0", "$where DIV 1", "- ($where)", "$where LIKE 1", "$where COLLATE utf8mb4_bin",
        ];
        $glue = static fn(array $words): string => implode(' ', array_map(strval(...), $words));
        $conditions = [];
        foreach ($pieces as $i => $piece) {
            if (\in_array($piece, ['AND', 'OR'], true)) {
                foreach (['OR', 'XOR', 'AND NOT', '||', 'OR NOT', 'AND', '=', 'AND x OR', 'OR x AND'] as $other) {
                    $changed[] = $glue(array_replace($pieces, [$i => $other]));
                }
            }
            // Where a condition may begin or end.
            if ($i === 0 || \in_array($pieces[$i - 1], ['AND', 'OR', '('], true)) {
                $conditions[] = $i;
            }
        }
        foreach ($conditions as $at => $from) {
            foreach (\array_slice($conditions, $at, 4) as $to) {
                // Up to the end of that condition.
                for ($depth = 0, $end = $to; isset($pieces[$end + 1]); ++$end) {
                    $next = $pieces[$end + 1];
                    $depth += $pieces[$end] === '(' ? 1 : ($pieces[$end] === ')' ? -1 : 0);
                    if ($depth <= 0 && \in_array($next, ['AND', 'OR', ')'], true)) {
                        break;
                    }
                }
                foreach (['(', 'NOT (', '1 = 0 OR (', '(1 = 0 OR '] as $open) {
                    foreach ([')', ') OR x = 1', ') = 0', ' OR 1 = 0)'] as $close) {
                        $changed[] = $glue([
                            ...\array_slice($pieces, 0, $from), $open, ...\array_slice($pieces, $from, $end + 1 - $from),
                            $close, ...\array_slice($pieces, $end + 1),
                        ]);
                    }
                }
            }
        }

        return array_map(static fn(string $one): string => $head . $one . $tail, array_values(array_unique($changed)));
    }
}
