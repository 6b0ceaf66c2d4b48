<?php

declare(strict_types=1);

namespace Larder\Dependency\Sql;

/** The SQL of SQLite 3. */
final readonly class SqliteGrammar implements Grammar
{
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
            |(?:/(?!\*)|[-+*%<>=!|&\~(),;.])(*MARK:sign))~xs
            PCRE;
    }

    public function unquote(string $identifier): string
    {
        $quote = $identifier[0];
        $inner = substr($identifier, 1, -1);

        return $quote === '[' ? $inner : str_replace($quote . $quote, $quote, $inner);
    }

    /** A function of time that is not given a column, a plain text or a number may be asking for the clock. */
    public function isVolatile(string $word, ?array $arguments): bool
    {
        if ($arguments === null) {
            return \in_array($word, ['current_date', 'current_time', 'current_timestamp'], true);
        }
        $times = match ($word) {
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

        return \in_array($word, ['random', 'randomblob', 'last_insert_rowid', 'changes', 'total_changes'], true);
    }

    public function isTableFunction(string $name): bool
    {
        return \in_array($name, ['json_each', 'json_tree'], true);
    }
}
