<?php

declare(strict_types=1);

namespace Larder\Proof\Tests\Statements;

use Larder\Proof\Statements\LoggedStatement;
use Larder\Proof\Statements\StatementsPage;
use Larder\Sql\Reading\Column;
use Larder\Sql\Reading\Equality;
use Larder\Sql\Reading\Grammar;
use Larder\Sql\Reading\Lexer;
use Larder\Sql\Reading\Parser;
use Larder\Sql\Reading\Select;
use Larder\Sql\Tracker\Statement;
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

        self::assertGreaterThan(100, $compared);
        self::assertGreaterThan(170, $equalities);
    }

    /** A wrong precedence, or a condition that does not hold for all rows, would give an equality too many. */
    public function testSoAreThoseOfTextsThatWereMadeFromThem(): void
    {
        [$compared, $equalities] = $this->compare(ChangedSelect::of(...));

        self::assertGreaterThan(2000, $compared);
        self::assertGreaterThan(1500, $equalities);
    }

    /**
     * @param callable(string): list<string> $texts made from a statement
     *
     * @return array{int, int} how many texts were compared, and how many equalities were found
     */
    private function compare(callable $texts): array
    {
        $compared = $equalities = 0;
        $seen = [];
        foreach (array_keys(StatementsPage::APPLICATIONS) as $application) {
            $isAnsi = $application === 'drupal';
            $grammar = StatementsPage::grammar($application);
            foreach (LoggedStatement::listed(StatementsPage::DATA . $application . '.tsv') as $statement) {
                foreach (isset($seen[$statement->sql]) ? [] : $texts($statement->sql) as $sql) {
                    $found = $this->same($sql, $grammar, $isAnsi);
                    $compared += $found === null ? 0 : 1;
                    $equalities += $found ?? 0;
                }
                $seen[$statement->sql] = true;
            }
        }

        return [$compared, $equalities];
    }

    /** @return int|null how many equalities were compared; null: one of both does not understand the text */
    private function same(string $sql, Grammar $grammar, bool $ansi): ?int
    {
        $statement = Statement::parse($sql, $grammar);
        $oracle = $statement->refusal === null ? Oracle::ask($sql, $ansi) : null;
        if ($oracle === null) {
            return null;
        }
        $sources = $statement->sources;
        sort($sources);
        self::assertSame($oracle->tables, $sources, $sql);
        $ends = [];
        $tokens = Lexer::tokens($sql, $grammar, $ends) ?? [];
        $select = Parser::parse($sql, $tokens, $ends, $grammar)->selects[0] ?? null;
        if (!$select instanceof Select) {
            return null;
        }
        foreach ($select->equalities as $equality) {
            self::assertNotSame([], array_intersect(self::written($equality), $oracle->always), $sql);
        }
        $count = \count($select->equalities);
        foreach ($select->sources as $at => $source) {
            foreach ($source->matches as $equality) {
                ++$count;
                $before = \count($select->sources) - \count($oracle->left);
                self::assertNotSame(
                    [],
                    array_intersect(self::written($equality), $oracle->left[$at - $before] ?? []),
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
}
