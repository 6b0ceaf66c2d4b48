<?php

declare(strict_types=1);

namespace Larder\Sql\Reading;

/** @internal What an INSERT or REPLACE of MariaDB or PostgreSQL writes. */
final readonly class ServerInsert
{
    /**
     * @param int $at of the table's name
     */
    private function __construct(
        private ServerTokens $statement,
        private int $at,
        private bool $replaces,
        private bool $isModified,
        private bool $ignores,
    ) {}

    /** @return list<Write>|null null: unknown, so it may write to every table */
    public static function writes(ServerTokens $statement): ?array
    {
        $at = $statement->behindModifiers();
        $words = array_column(\array_slice($statement->tokens, 0, $at), 1);
        $at += ($statement->tokens[$at] ?? null) === ['word', 'into'] ? 1 : 0;
        $insert = new self(
            $statement,
            $at,
            $words[0] === 'replace',
            \count($words) > 1,
            $words === ['insert', 'ignore'],
        );
        $table = $statement->table($at);

        return $table === null ? null : [$insert->write($table)];
    }

    private function write(string $table): Write
    {
        $outer = $this->statement->outer($this->at + 1);
        $words = array_column($outer, 1);
        $isUpsert = \in_array('update', $words, true);
        $isKnown = $this->statement->isKnown();
        $rows = $isKnown && (!$this->isModified || $this->ignores) ? $this->rows() : null;
        $update = $isUpsert && $rows !== null ? $this->update($outer) : null;

        return new Write(
            $table,
            [
                Write::INSERT,
                ...($isUpsert ? [Write::UPDATE] : []),
                ...($this->replaces ? [Write::DELETE] : []),
            ],
            $update === null ? null : $this->statement->columns($update),
            \in_array('returning', $words, true),
            $rows,
            $this->replaces || $this->isModified
                || \in_array('conflict', $words, true)
                || \in_array('duplicate', $words, true),
            !$isKnown,
        );
    }

    /** The rows in its VALUES; null: it has others, or they are not plain. */
    private function rows(): ?AffectedRows
    {
        $tokens = $this->statement->tokens;
        $at = $this->at + 1;
        $columns = null;
        if (($tokens[$at] ?? null) === ['sign', '(']) {
            [$columns, $at] = $this->names($at) ?? [null, -1];
        }
        if (!\in_array($tokens[$at] ?? null, [['word', 'values'], ['word', 'value']], true)) {
            return null;
        }
        $numbers = $this->statement->numbers();
        if ($numbers === null) {
            return null;
        }
        $rows = $row = $names = [];
        $depth = 0;
        $first = ++$at;
        for (;; ++$at) {
            $token = $tokens[$at] ?? ['word', 'returning'];
            $depth -= $token === ['sign', ')'] ? 1 : 0;
            $isEnd = $depth === 0 && $token === ['sign', ')'];
            if ($depth === 1 && $token === ['sign', ','] || $isEnd) {
                $row[] = $at - $first === 1 ? $this->constant($first, $numbers) : null;
                $first = $at + 1;
            }
            if ($isEnd) {
                $rows[] = $row;
                $row = [];
            } elseif ($depth === 0 && $token === ['sign', '(']) {
                $first = $at + 1;
            } elseif ($depth === 0 && \in_array($token, [['word', 'returning'], ['word', 'on']], true)) {
                break;
            } elseif ($depth === 0 && $token !== ['sign', ',']) {
                return null;
            }
            $depth += $token === ['sign', '('] ? 1 : 0;
            if (!isset($tokens[$at])) {
                return null;
            }
        }
        foreach ($numbers as [$number, $name]) {
            $names[$number] = $name;
        }
        $lengths = array_unique(array_map(\count(...), $rows));
        $isEven = \count($lengths) === 1 && ($columns === null || $lengths === [\count($columns)]);
        $conflict = $this->conflict($at);

        return !$isEven || $conflict === null ? null : new AffectedRows(
            Write::INSERT,
            $this->statement->text($this->at, $this->at + 1),
            '',
            $names,
            \count($rows) === 1,
            columns: $columns,
            rows: $rows,
            conflict: $conflict,
        );
    }

    /** @return array{list<string>, int}|null the names in parentheses, and what stands behind; null: others too */
    private function names(int $at): ?array
    {
        $tokens = $this->statement->tokens;
        $names = [];
        for (++$at; ($tokens[$at] ?? null) !== ['sign', ')']; ++$at) {
            [$kind, $text] = $tokens[$at] ?? ['', ''];
            if (\in_array($kind, ['word', 'quoted'], true)) {
                $names[] = $text;
            } elseif ([$kind, $text] !== ['sign', ',']) {
                return null;
            }
        }

        return [$names, $at + 1];
    }

    /**
     * @param array<int, array{int, string|null}> $numbers of parameters
     *
     * @return string|int|null the text of a constant, the number of a parameter; null: something else
     */
    private function constant(int $at, array $numbers): string|int|null
    {
        $token = $this->statement->tokens[$at];

        return match (true) {
            $token[0] === 'parameter' => $numbers[$at][0] ?? null,
            \in_array($token, [['word', 'null'], ['word', 'default']], true) => $token[1],
            \in_array($token[0], ['number', 'string'], true) => $this->statement->text($at, $at + 1),
            default => null,
        };
    }

    /**
     * What it does about rows that are in the way.
     *
     * @param int $at behind its rows
     *
     * @return Conflict|null null: it is not plain
     */
    private function conflict(int $at): ?Conflict
    {
        $tokens = $this->statement->tokens;
        $words = array_column(\array_slice($tokens, $at, 4), 1);
        $first = $tokens[$at] ?? null;
        if ($first !== ['word', 'on']) {
            return match (true) {
                $this->replaces => new Conflict(Conflict::REPLACE),
                $this->ignores => new Conflict(Conflict::KEEP),
                default => new Conflict(),
            };
        }
        if ($this->isModified || $this->replaces) {
            return null;
        }
        if ($words === ['on', 'duplicate', 'key', 'update']) {
            return new Conflict(Conflict::UPDATE, null, $this->given($at + 3));
        }
        $target = null;
        $at += 2;
        if (($words[1] ?? '') === 'conflict' && ($tokens[$at] ?? null) === ['sign', '(']) {
            [$target, $at] = $this->names($at) ?? [null, -1];
        }
        $words = array_column(\array_slice($tokens, max($at, 0), 3), 1);
        $isNothing = \array_slice($words, 0, 2) === ['do', 'nothing'];

        return match (true) {
            $at < 0, ($tokens[$at - 1] ?? null) === ['word', 'constraint'] => null,
            $isNothing => new Conflict(Conflict::KEEP),
            $words === ['do', 'update', 'set'] && $target !== null
                => new Conflict(Conflict::UPDATE, $target, $this->given($at + 2)),
            default => null,
        };
    }

    /**
     * @param array<int, array{string, string}> $outer
     *
     * @return int|null where the list of what an upsert sets begins
     */
    private function update(array $outer): ?int
    {
        foreach ($outer as $i => $token) {
            $next = $outer[$i + 1] ?? null;
            if ($token === ['word', 'update']) {
                return $next === ['word', 'set'] ? $i + 1 : $i;
            }
        }

        return null;
    }

    /** @return list<string> the columns that an upsert sets to the values that are given for them */
    private function given(int $set): array
    {
        $tokens = $this->statement->tokens;
        $given = [];
        foreach ($this->statement->outer($set) as $i => $token) {
            if ($i !== $set && $token !== ['sign', ',']) {
                continue;
            }
            $name = $tokens[$i + 1][1] ?? '';
            $text = array_column(\array_slice($tokens, $i + 1, 6), 1);
            $length = match (true) {
                \in_array($text, [
                    [$name, '=', 'values', '(', $name, ')'],
                    [$name, '=', 'value', '(', $name, ')'],
                ], true) => 7,
                \array_slice($text, 0, 5) === [$name, '=', 'excluded', '.', $name] => 6,
                default => 0,
            };
            $isEnd = \in_array(
                $tokens[$i + $length] ?? ['sign', ','],
                [['sign', ','], ['word', 'where'], ['word', 'returning']],
                true,
            );
            if ($length > 0 && $isEnd) {
                $given[] = $name;
            }
        }

        return $given;
    }
}
