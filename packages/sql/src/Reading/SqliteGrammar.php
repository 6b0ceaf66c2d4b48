<?php

declare(strict_types=1);

namespace Larder\Sql\Reading;

/** @internal The SQL of SQLite 3. */
final readonly class SqliteGrammar implements Grammar
{
    /** Words that are never taken as a name here, even where SQLite would. */
    private const RESERVED = [
        'all' => 1, 'and' => 1, 'as' => 1, 'asc' => 1, 'between' => 1, 'by' => 1, 'case' => 1, 'cast' => 1,
        'collate' => 1, 'cross' => 1, 'current_date' => 1, 'current_time' => 1, 'current_timestamp' => 1, 'desc' => 1,
        'distinct' => 1, 'else' => 1, 'end' => 1, 'escape' => 1, 'except' => 1, 'exists' => 1, 'filter' => 1,
        'for' => 1, 'from' => 1, 'full' => 1, 'glob' => 1, 'group' => 1, 'having' => 1, 'in' => 1, 'indexed' => 1,
        'inner' => 1, 'intersect' => 1, 'into' => 1, 'is' => 1, 'isnull' => 1, 'join' => 1, 'left' => 1, 'like' => 1,
        'limit' => 1, 'match' => 1, 'materialized' => 1, 'natural' => 1, 'not' => 1, 'notnull' => 1, 'null' => 1,
        'nulls' => 1, 'offset' => 1, 'on' => 1, 'or' => 1, 'order' => 1, 'outer' => 1, 'over' => 1, 'raise' => 1,
        'recursive' => 1, 'regexp' => 1, 'returning' => 1, 'right' => 1, 'select' => 1, 'then' => 1, 'union' => 1,
        'using' => 1, 'values' => 1, 'when' => 1, 'where' => 1, 'window' => 1, 'with' => 1,
    ];

    /** What is not here is as tight as =. */
    private const TIGHTNESS = [
        '->>' => 9, '->' => 9, '||' => 9, '==' => 4, '<>' => 4, '!=' => 4, '<=' => 5, '>=' => 5, '<<' => 6, '>>' => 6,
        '=' => 4, '<' => 5, '>' => 5, '&' => 6, '|' => 6, '+' => 7, '-' => 7, '*' => 8, '/' => 8, '%' => 8,
        'or' => 1, 'and' => 2, 'is' => 4, 'in' => 4, 'like' => 4, 'glob' => 4, 'regexp' => 4, 'match' => 4,
        'between' => 4, 'isnull' => 4, 'notnull' => 4, 'not' => 4, 'collate' => 10,
    ];

    private const ENDS_FROM = [
        'where' => 1, 'group' => 1, 'having' => 1, 'order' => 1, 'limit' => 1, 'union' => 1, 'except' => 1,
        'intersect' => 1, 'select' => 1, 'values' => 1,
    ];

    /** For SQLite a statement ends at a NUL. Here a NUL fits no token. */
    public function token(): string
    {
        return <<<'PCRE'
            ~\G(?:(?:\s+|--[^\n]*+(?:\n|\z)|/\*.*?\*/)(*MARK:skip)
            |[xX]?'(?:[^']|'')*+'(*MARK:string)
            |(?:"(?:[^"]|"")*+"|`(?:[^`]|``)*+`|\[[^\]]*+\])(*MARK:quoted)
            |[A-Za-z_\x80-\xff][A-Za-z0-9_$\x80-\xff]*+(*MARK:word)
            |(?:[0-9][0-9A-Za-z_.]*+(?:(?<=[eE])[+-][0-9]++)?|\.[0-9]++(?:[eE][+-]?[0-9]++)?)(*MARK:number)
            |(?:\?[0-9]*+|[:@$][A-Za-z0-9_\x80-\xff]++)(*MARK:parameter)
            |(?:->>?|\|\||==|<>|!=|<=|>=|<<|>>|/(?!\*)|[-+*%<>=!|&\~(),;.])(*MARK:sign))~xs
            PCRE;
    }

    public function unquote(string $identifier): string
    {
        $quote = $identifier[0];
        $inner = strtolower(substr($identifier, 1, -1));

        return $quote === '[' ? $inner : str_replace($quote . $quote, $quote, $inner);
    }

    public function text(string $string): ?string
    {
        return $string[0] === "'" ? str_replace("''", "'", substr($string, 1, -1)) : null;
    }

    /** A function of time that is not given a column, a plain text or a number may be asking for the clock. */
    public function isVolatile(string $word, ?array $arguments, bool $isPlain = true): bool
    {
        if ($arguments === null) {
            return \in_array($word, ['current_date', 'current_time', 'current_timestamp'], true);
        }
        $function = ltrim($word, '"');
        $times = match ($function) {
            'date', 'time', 'datetime', 'julianday', 'unixepoch' => [0],
            'strftime' => [1],
            'timediff' => [0, 1],
            default => [],
        };
        foreach ($times as $time) {
            $tokens = $arguments[$time] ?? [];
            $last = $tokens[array_key_last($tokens) ?? 0] ?? ['', ''];
            $isName = \count($tokens) === 1 || (\count($tokens) === 3 && $tokens[1] === ['sign', '.']);
            if (!$isName || !\in_array($last[0], ['word', 'quoted', 'string', 'number'], true)
                || trim($last[1], "'") === 'now') {
                return true;
            }
        }

        return \in_array($function, ['random', 'randomblob', 'last_insert_rowid', 'changes', 'total_changes'], true);
    }

    public function isTableFunction(string $name): bool
    {
        return \in_array($name, ['json_each', 'json_tree'], true);
    }

    public function mayWrite(string $function, bool $isPlain): bool
    {
        return false;
    }

    public function tightness(string $operator): int
    {
        return self::TIGHTNESS[$operator] ?? 0;
    }

    public function isReserved(string $word): bool
    {
        return isset(self::RESERVED[$word]);
    }

    public function isValue(string $word): bool
    {
        return \in_array($word, ['null', 'current_date', 'current_time', 'current_timestamp'], true);
    }

    public function isOwnSchema(string $name): bool
    {
        return $name === 'main';
    }

    /** A SELECT that writes: in a common table, as SELECT INTO, as FOR UPDATE. */
    public function writes(array $tokens, int $at): bool
    {
        return \in_array($tokens[$at][1], ['insert', 'update', 'delete', 'merge', 'into'], true)
            || ($tokens[$at][1] === 'replace' && ($tokens[$at + 1] ?? null) !== ['sign', '(']);
    }

    public function endsFrom(string $word): bool
    {
        return isset(self::ENDS_FROM[$word]);
    }

    public function mayNameTable(string $word): bool
    {
        return true;
    }

    public function hasTablesBehindIn(): bool
    {
        return true;
    }

    public function seesAllBefore(): bool
    {
        return true;
    }

    public function seesCommonTables(): bool
    {
        return true;
    }

    public function goesOnWith(string $word): bool
    {
        return false;
    }

    public function numbersParameters(): bool
    {
        return true;
    }

    public function rowNumbers(): array
    {
        return ['rowid', 'oid', '_rowid_'];
    }

    public function written(array $tokens, string $sql, array $ends): ?array
    {
        return Write::of($tokens, $sql, $ends);
    }

    public function verb(array $tokens): string
    {
        $words = array_filter($tokens, static fn(array $token): bool => $token !== ['sign', '(']);
        $first = reset($words)[1] ?? '';

        return $first === 'rollback' && \in_array(['word', 'to'], $tokens, true) ? 'rollback to' : $first;
    }

    public function deletesFromSeveral(): bool
    {
        return false;
    }

    public function tellsCases(): bool
    {
        return false;
    }

    public function isClock(string $string): bool
    {
        return $string === "'now'";
    }

    /** Writes are told by AffectedRows, which has a list of its own. */
    public function isPure(string $function): bool
    {
        return false;
    }

    public function isHarmless(string $function): bool
    {
        return false;
    }
}
