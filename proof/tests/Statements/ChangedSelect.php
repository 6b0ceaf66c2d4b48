<?php

declare(strict_types=1);

namespace Larder\Proof\Tests\Statements;

/** Makes texts of a SELECT in which something else holds for all rows, or in which it only looks so. */
final readonly class ChangedSelect
{
    /** Of one statement: a part of all that could be, another part for each length of its WHERE. */
    private const MOST = 20;

    private const WHOLE = [
        'NOT (%s)', 'NOT %s', '(%s)', '((%s))', '%s OR 1 = 0', '1 = 0 OR %s', '%s XOR 1 = 0', '1 = 1 AND NOT (%s)',
        '(%s) = 0', '(%s) IN (0)', '(%s) IS NOT NULL', '(%s) IS NULL', '%s || 1 = 0', '%s && 1 = 1', '%s = 0',
        '%s IS NOT NULL', '%s IN (0)', '%s + 1', '(%s) OR x = 1', 'x.y = 1 OR (%s) AND x.z = 2', 'NOT NOT (%s)',
        '! (%s)', '%s AND x BETWEEN 1 AND y = 2', 'x BETWEEN 1 AND %s', 'CASE WHEN %s THEN 1 END', 'COALESCE(%s, 1)',
        '%s <=> 0', '%s DIV 1', '- (%s)', '%s LIKE 1', '%s COLLATE utf8mb4_bin',
    ];

    private const BETWEEN = ['OR', 'XOR', 'AND NOT', '||', 'OR NOT', 'AND', '=', 'AND x OR', 'OR x AND'];

    private const AROUND = [['(', 'NOT (', '1 = 0 OR (', '(1 = 0 OR '], [')', ') OR x = 1', ') = 0', ' OR 1 = 0)']];

    private const JOINS = [
        '/ (?:LEFT|INNER) JOIN/' => ' RIGHT JOIN', '/(?:LEFT|INNER) JOIN/' => 'JOIN',
        '/(?:LEFT |INNER )?JOIN/' => 'LEFT JOIN', '/ ON /' => ' ON NOT ', '/ WHERE $/' => ' AND x.y = 1 WHERE ',
        '/(?<= )WHERE $/' => 'OR x.y = 1 WHERE ',
    ];

    /** @return list<string> none for one without WHERE, and for one with another SELECT in it */
    public static function of(string $sql): array
    {
        $parts = '/^(SELECT\s.*?\sWHERE\s)(.*?)((?:\s(?:GROUP BY|ORDER BY|LIMIT)\s.*)?)$/s';
        if (preg_match($parts, $sql, $matches) !== 1 || substr_count($sql, 'SELECT') > 1) {
            return [];
        }
        [, $head, $where, $tail] = $matches;
        $changed = array_values(array_unique([
            ...array_map(static fn(string $whole): string => str_replace('%s', $where, $whole), self::WHOLE),
            ...self::pieces($where),
        ]));
        $step = max(1, intdiv(\count($changed), self::MOST));
        $texts = [];
        foreach ($changed as $i => $other) {
            if ($i % $step === \strlen($where) % $step) {
                $texts[] = $head . $other . $tail;
            }
        }
        foreach (str_contains($head, ' ON ') ? self::JOINS : [] as $pattern => $other) {
            $texts[] = preg_replace($pattern, $other, $head) . $where . $tail;
        }

        return $texts;
    }

    /** @return list<string> with other words between two conditions, and around some of them */
    private static function pieces(string $where): array
    {
        $string = '\'(?:[^\'\\\\]|\\\\.)*\'';
        $split = "/($string|\bIN ?\((?:[^()']|$string)*\))|\s+(AND|OR)\s+|([()])/";
        $split = preg_split($split, $where, -1, PREG_SPLIT_DELIM_CAPTURE | PREG_SPLIT_NO_EMPTY);
        $pieces = $split === false ? [] : $split;
        $changed = $conditions = [];
        foreach ($pieces as $i => $piece) {
            foreach (\in_array($piece, ['AND', 'OR'], true) ? self::BETWEEN : [] as $other) {
                $changed[] = implode(' ', array_replace($pieces, [$i => $other]));
            }
            if ($i === 0 || \in_array($pieces[$i - 1], ['AND', 'OR', '('], true)) {
                $conditions[] = $i;
            }
        }
        foreach ($conditions as $at => $from) {
            foreach (\array_slice($conditions, $at, 4) as $to) {
                $end = self::end($pieces, $to) + 1;
                foreach (self::AROUND[0] as $open) {
                    foreach (self::AROUND[1] as $close) {
                        $inner = [$open, ...\array_slice($pieces, $from, $end - $from), $close];
                        $changed[] = implode(' ', [
                            ...\array_slice($pieces, 0, $from), ...$inner, ...\array_slice($pieces, $end),
                        ]);
                    }
                }
            }
        }

        return $changed;
    }

    /**
     * @param list<string> $pieces
     *
     * @return int the last piece of the condition that begins there
     */
    private static function end(array $pieces, int $from): int
    {
        $depth = 0;
        $end = $from;
        while (isset($pieces[$end + 1])) {
            $depth += (int) ($pieces[$end] === '(') - (int) ($pieces[$end] === ')');
            if ($depth <= 0 && \in_array($pieces[$end + 1], ['AND', 'OR', ')'], true)) {
                break;
            }
            ++$end;
        }

        return $end;
    }
}
