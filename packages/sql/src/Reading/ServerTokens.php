<?php

declare(strict_types=1);

namespace Larder\Sql\Reading;

/**
 * @internal A statement of MariaDB or PostgreSQL as its tokens, and what they tell wherever they stand.
 *
 * @phpstan-import-type Token from Write
 */
final readonly class ServerTokens
{
    /** Words that a parenthesis may follow, which then calls nothing. */
    private const OPERATORS = [
        'all', 'and', 'any', 'array', 'as', 'bigint', 'binary', 'between', 'bit', 'by', 'case', 'char', 'character',
        'conflict', 'cross', 'decimal', 'default', 'distinct', 'div', 'else', 'escape', 'except', 'exists', 'filter',
        'float', 'for', 'from', 'group', 'having', 'ilike', 'in', 'index', 'inner', 'int', 'integer', 'intersect',
        'interval', 'into', 'is', 'join', 'key', 'lateral', 'left', 'like', 'limit', 'materialized', 'mod', 'not',
        'null', 'numeric', 'of', 'offset', 'on', 'or', 'over', 'partition', 'regexp', 'returning', 'right', 'rlike',
        'row', 'select', 'set', 'some', 'table', 'then', 'time', 'timestamp', 'union', 'unsigned', 'update', 'using',
        'value', 'values', 'varbinary', 'varchar', 'when', 'where', 'window', 'with', 'within', 'xor',
    ];

    /** Words with which a condition reads more than the row that it is about, or one row otherwise than another. */
    private const UNCERTAIN = [
        'any', 'current', 'current_date', 'current_time', 'current_timestamp', 'current_user', 'default', 'exists',
        'filter', 'from', 'group', 'having', 'interval', 'join', 'limit', 'localtime', 'localtimestamp', 'match',
        'next', 'offset', 'order', 'over', 'procedure', 'previous', 'select', 'session_user', 'set', 'some', 'sysdate',
        'table', 'union', 'user', 'using', 'utc_date', 'utc_time', 'utc_timestamp', 'values', 'where', 'window',
        'with', 'ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid',
    ];

    private const MODIFIERS = ['low_priority', 'high_priority', 'delayed', 'quick', 'ignore'];

    /**
     * @param list<Token> $tokens of one statement
     * @param string      $sql    its text
     * @param list<int>   $ends   the offset in the text behind each token
     */
    public function __construct(
        public array $tokens,
        private string $sql,
        private array $ends,
        public Grammar $grammar,
    ) {}

    /**
     * @return array<int, Token> the tokens from there on that stand in no parentheses, and what opens and closes them
     */
    public function outer(int $from): array
    {
        $outer = [];
        $depth = 0;
        for ($i = $from; isset($this->tokens[$i]); ++$i) {
            $depth -= $this->tokens[$i] === ['sign', ')'] ? 1 : 0;
            if ($depth === 0) {
                $outer[$i] = $this->tokens[$i];
            }
            $depth += $this->tokens[$i] === ['sign', '('] ? 1 : 0;
        }

        return $outer;
    }

    /**
     * @param array<int, Token> $outer
     *
     * @return list<string> its words, without the FROM of IS DISTINCT FROM
     */
    public static function clauses(array $outer): array
    {
        $words = [];
        foreach ($outer as $i => [$kind, $text]) {
            if ($kind === 'word' && !($text === 'from' && ($outer[$i - 1][1] ?? '') === 'distinct')) {
                $words[] = $text;
            }
        }

        return $words;
    }

    /** The text of the tokens from one up to another. */
    public function text(int $from, int $end): string
    {
        $start = $this->ends[$from - 1] ?? 0;

        return trim(substr($this->sql, $start, $this->ends[$end - 1] - $start));
    }

    /**
     * @return string|null its name in lower case; null: it is in another schema, or no name stands there
     */
    public function table(int $at): ?string
    {
        [$kind, $text] = $this->tokens[$at] ?? ['', ''];

        return \in_array($kind, ['word', 'quoted'], true) && ($this->tokens[$at + 1] ?? null) !== ['sign', '.']
            ? $text
            : null;
    }

    /** @return list<Write>|null what changes in some way the table that stands there; null: no name stands there */
    public function written(int $at): ?array
    {
        $at += ($this->tokens[$at] ?? null) === ['word', 'only'] ? 1 : 0;
        $table = $this->table($at);

        return $table === null ? null : [new Write($table, calls: !$this->isKnown())];
    }

    /**
     * @return array<int, array{int, string|null}>|null number and name of each parameter, by token; null: not certain
     */
    public function numbers(): ?array
    {
        $found = $spelt = [];
        $last = 0;
        foreach ($this->tokens as $i => [$kind, $text]) {
            if ($kind !== 'parameter') {
                continue;
            }
            $exact = substr($this->sql, $this->ends[$i] - \strlen($text), \strlen($text));
            if ($text === '?') {
                $found[$i] = [++$last, null];
            } elseif ($text[0] !== ':' || strtolower($exact) !== $text) {
                return null;
            } else {
                $spelt[$text] ??= [++$last, $text, $exact];
                if ($spelt[$text][2] !== $exact) {
                    return null;
                }
                $found[$i] = [$spelt[$text][0], $text];
            }
        }

        return $found;
    }

    /**
     * Whether nothing that the statement calls can write.
     */
    public function isKnown(): bool
    {
        $into = array_search(['word', 'into'], $this->tokens, true);
        foreach ($this->tokens as $i => [$kind, $text]) {
            if ($kind === 'sign' && $text === ':=') {
                return false;
            }
            if (($this->tokens[$i + 1] ?? null) !== ['sign', '('] || !\in_array($kind, ['word', 'quoted'], true)) {
                continue;
            }
            $before = $this->tokens[$i - 1][1] ?? '';
            $isName = $into !== false && $i === $into + 1
                || ($i === 1 && \in_array($this->tokens[0][1], ['insert', 'replace', 'copy'], true))
                || \in_array($before, ['as', 'with', 'recursive', 'table', 'exists'], true);
            $isOperator = $kind === 'word' && \in_array($text, self::OPERATORS, true);
            $isHarmless = $kind === 'word' && $before !== '.' && $this->grammar->isHarmless($text)
                && !$this->grammar->mayWrite($text, $this->ends[$i] + 1 === $this->ends[$i + 1]);
            if (!$isName && !$isOperator && !$isHarmless) {
                return false;
            }
        }

        return true;
    }

    /**
     * Whether a condition finds the same rows in a SELECT.
     */
    public function isCertain(int $from, int $end): bool
    {
        for ($i = $from; $i < $end; ++$i) {
            [$kind, $text] = $this->tokens[$i];
            $isCall = ($this->tokens[$i + 1] ?? null) === ['sign', '('] && \in_array($kind, ['word', 'quoted'], true);
            $isOperator = $kind === 'word' && \in_array($text, self::OPERATORS, true);
            $isUncertain = $kind === 'word' && \in_array($text, self::UNCERTAIN, true)
                && !($text === 'from' && ($this->tokens[$i - 1][1] ?? '') === 'distinct');
            $isOther = !\in_array($kind, ['word', 'quoted', 'string', 'number', 'parameter', 'sign'], true)
                || ($kind === 'sign' && str_contains($text, '@'))
                || str_starts_with($text, '@');
            $isPure = !$isCall || $isOperator
                || ($kind === 'word' && ($this->tokens[$i - 1][1] ?? '') !== '.' && $this->grammar->isPure($text));
            if ($isUncertain || $isOther || !$isPure) {
                return false;
            }
        }

        return true;
    }

    /**
     * @return list<string>|null the columns that a SET clause sets; null: any
     */
    public function columns(int $set): ?array
    {
        $columns = [];
        $expected = true;
        foreach ($this->outer($set + 1) as $i => [$kind, $text]) {
            if ($kind === 'word' && \in_array($text, ['where', 'from', 'returning', 'order', 'limit'], true)
                && ($this->tokens[$i - 1][1] ?? '') !== 'distinct') {
                break;
            }
            if ($expected) {
                if (!\in_array($kind, ['word', 'quoted'], true)) {
                    return null;
                }
                $isQualified = ($this->tokens[$i + 1] ?? null) === ['sign', '.'];
                $columns[] = $isQualified ? $this->tokens[$i + 2][1] ?? '' : $text;
                $expected = false;
            }
            $expected = [$kind, $text] === ['sign', ','];
        }

        return $columns;
    }

    /** The same of a condition, with a `?` for each parameter. */
    public function condition(int $from, int $end): string
    {
        $condition = '';
        $written = $this->ends[$from - 1];
        for ($i = $from; $i < $end; ++$i) {
            if ($this->tokens[$i][0] === 'parameter') {
                $start = $this->ends[$i] - \strlen($this->tokens[$i][1]);
                $condition .= substr($this->sql, $written, $start - $written) . '?';
                $written = $this->ends[$i];
            }
        }

        return trim($condition . substr($this->sql, $written, $this->ends[$end - 1] - $written));
    }

    /** Where the first token stands behind the verb and the words that modify it. */
    public function behindModifiers(): int
    {
        $at = 1;
        while (($this->tokens[$at][0] ?? '') === 'word' && \in_array($this->tokens[$at][1], self::MODIFIERS, true)) {
            ++$at;
        }

        return $at;
    }
}
