<?php

declare(strict_types=1);

namespace Larder\Sql\Reading;

/** @internal What an UPDATE or DELETE of MariaDB or PostgreSQL writes. */
final readonly class ServerChange
{
    /** @return list<Write>|null null: unknown, so it may write to every table */
    public static function updates(ServerTokens $statement): ?array
    {
        $tokens = $statement->tokens;
        $isKnown = $statement->isKnown();
        $at = $statement->behindModifiers();
        $isModified = $at > 1;
        if (($tokens[$at] ?? null) === ['word', 'only']) {
            $isModified = true;
            ++$at;
        }
        $outer = $statement->outer($at);
        $set = array_search(['word', 'set'], $outer, true);
        if ($set === false) {
            return null;
        }
        $tables = self::tables($statement, $at, $set);
        if ($tables === null) {
            return null;
        }
        $words = array_column($outer, 1);
        $columns = \count($tables) === 1 ? $statement->columns($set) : null;
        // What follows them may join other tables, where the first one is another name of one.
        $isPlain = $isKnown && !$isModified && $set === $at + 1
            && array_intersect(['from', 'order', 'limit', 'for'], ServerTokens::clauses($outer)) === [];
        $rows = $isPlain ? self::found(Write::UPDATE, $statement, $at) : null;

        return array_map(static fn(string $table): Write => new Write(
            $table,
            [Write::UPDATE],
            $columns,
            \in_array('returning', $words, true),
            $rows,
            $isModified,
            !$isKnown,
        ), $tables);
    }

    /** @return list<Write>|null null: unknown, so it may write to every table */
    public static function deletes(ServerTokens $statement): ?array
    {
        $tokens = $statement->tokens;
        $isKnown = $statement->isKnown();
        $at = $statement->behindModifiers();
        $isPlain = $isKnown && $at === 1 && ($tokens[1] ?? null) === ['word', 'from'];
        $outer = $statement->outer($at);
        $words = ServerTokens::clauses($outer);
        $from = array_search(['word', 'from'], $outer, true);
        $using = array_search(['word', 'using'], $outer, true);
        $where = array_search(['word', 'where'], $outer, true);
        if ($from === false) {
            return null;
        }
        $end = \count($tokens);
        foreach ($outer as $i => [$kind, $text]) {
            if ($i > $from && $kind === 'word' && \in_array($text, ['where', 'order', 'limit', 'returning'], true)) {
                $end = min($end, $i);
            }
        }
        $isSeveral = $from > $at || ($using !== false && $using < $end);
        if ($isSeveral && !$statement->grammar->deletesFromSeveral()) {
            return $statement->written($from + 1);
        }
        // Of several tables the first names may be other names of those behind FROM or USING.
        $tables = self::tables($statement, ($isSeveral && $using !== false ? $using : $from) + 1, $end);
        if ($tables === null) {
            return ($tokens[$from + 1] ?? null) === ['word', 'only'] ? $statement->written($from + 1) : null;
        }
        $isPlain = $isPlain && !$isSeveral && $end === $from + 2 && ($where === false || $where === $end)
            && array_intersect(['order', 'limit', 'for'], $words) === [];
        $rows = $isPlain ? self::found(Write::DELETE, $statement, $from + 1) : null;
        $returns = \in_array('returning', $words, true);

        return array_map(
            static fn(string $table): Write => new Write(
                $table,
                [Write::DELETE],
                null,
                $returns,
                $rows,
                $at > 1,
                !$isKnown,
            ),
            $tables,
        );
    }

    /** @return list<string>|null the tables of a list, with joins or without; null: not certain */
    private static function tables(ServerTokens $statement, int $from, int $end): ?array
    {
        $tokens = $statement->tokens;
        $tables = [];
        $expected = true;
        for ($i = $from; $i < $end; ++$i) {
            $token = $tokens[$i];
            if ($expected) {
                $table = $statement->table($i);
                if ($table === null || \in_array($table, ['only', 'lateral'], true)) {
                    return null;
                }
                $tables[] = $table;
                $expected = false;
            } elseif ($token === ['sign', '('] && !\in_array($tokens[$i - 1][1], ['on', 'using', 'and', 'or'], true)) {
                return null;
            } elseif (\in_array($token, [['word', 'select'], ['word', 'partition']], true)) {
                return null;
            } else {
                $isComma = $token === ['sign', ','];
                $expected = $isComma || \in_array($token, [['word', 'join'], ['word', 'straight_join']], true);
            }
        }

        return $expected ? null : $tables;
    }

    /** @param int $at of the table's name */
    private static function found(string $verb, ServerTokens $statement, int $at): ?AffectedRows
    {
        $tokens = $statement->tokens;
        $from = $statement->text($at, $at + 1);
        $outer = $statement->outer($at);
        $where = array_search(['word', 'where'], $outer, true);
        $end = array_search(['word', 'returning'], $outer, true);
        $end = $end === false ? \count($tokens) : $end;
        if ($where === false) {
            return new AffectedRows($verb, $from);
        }
        $numbers = $statement->numbers();
        if ($numbers === null || !$statement->isCertain($where + 1, $end)) {
            return null;
        }
        $parameters = $order = $names = [];
        for ($i = $where + 1; $i < $end; ++$i) {
            if ($tokens[$i][0] === 'parameter') {
                [$number, $name] = $numbers[$i];
                $parameters[$number] = $name;
                $order[] = $number;
            } elseif (\in_array($tokens[$i][0], ['word', 'quoted'], true)) {
                $names[$tokens[$i][1]] = $tokens[$i][1];
            }
        }

        return new AffectedRows(
            $verb,
            $from,
            // A comment at its end would take what follows it.
            $statement->condition($where + 1, $end) . "\n",
            $parameters,
            order: $order,
            equal: self::equal($statement, $where + 1, $end),
            names: array_values($names),
        );
    }

    /**
     * @return array{string, string}|null the column that the first condition compares with a constant, if no row can be
     *     found without, and the kind of the constant
     */
    private static function equal(ServerTokens $statement, int $from, int $end): ?array
    {
        $tokens = $statement->tokens;
        $at = $from + (($tokens[$from + 1] ?? null) === ['sign', '.'] ? 2 : 0);
        $isName = \in_array($tokens[$at][0] ?? '', ['word', 'quoted'], true);
        $isEqual = ($tokens[$at + 1] ?? null) === ['sign', '=']
            && \in_array($tokens[$at + 2][0] ?? '', ['parameter', 'number', 'string'], true)
            && ($at + 3 === $end || ($tokens[$at + 3] ?? null) === ['word', 'and']);
        for ($i = $at + 3; $i < $end; ++$i) {
            $isEqual = $isEqual && !\in_array($tokens[$i][1], ['or', 'xor', '||', '|', '^'], true);
        }

        return $isName && $isEqual ? [$tokens[$at][1], $tokens[$at + 2][0]] : null;
    }
}
