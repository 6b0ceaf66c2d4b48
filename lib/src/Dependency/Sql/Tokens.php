<?php

declare(strict_types=1);

namespace Larder\Dependency\Sql;

/**
 * @internal The tokens of one statement, and how far they are read.
 *
 * @phpstan-import-type Token from \Larder\Dependency\Write
 */
final class Tokens
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

    private int $at = 0;

    /**
     * @param list<Token> $tokens in lower case
     * @param list<int>   $ends   offset behind each token
     */
    public function __construct(
        private readonly array $tokens,
        private readonly string $sql,
        private readonly array $ends,
    ) {}

    /** The kind of the token that is next, or one further on; '' behind the last one. */
    public function kind(int $ahead = 0): string
    {
        return $this->tokens[$this->at + $ahead][0] ?? '';
    }

    public function text(int $ahead = 0): string
    {
        return $this->tokens[$this->at + $ahead][1] ?? '';
    }

    public function isWord(string $word, int $ahead = 0): bool
    {
        return ($this->tokens[$this->at + $ahead] ?? null) === ['word', $word];
    }

    public function isSign(string $sign, int $ahead = 0): bool
    {
        return ($this->tokens[$this->at + $ahead] ?? null) === ['sign', $sign];
    }

    /** Whether a name of a table, a column or an alias is next. */
    public function isName(): bool
    {
        $kind = $this->kind();

        return $kind === 'quoted' || ($kind === 'word' && !isset(self::RESERVED[$this->text()]));
    }

    public function isQuery(): bool
    {
        return $this->isWord('select') || $this->isWord('values');
    }

    public function skip(int $tokens = 1): void
    {
        $this->at += $tokens;
    }

    /**
     * Reads the word if it is next.
     *
     * @phpstan-impure
     */
    public function word(string $word): bool
    {
        $isNext = $this->isWord($word);
        $this->at += (int) $isNext;

        return $isNext;
    }

    /**
     * Reads the sign if it is next.
     *
     * @phpstan-impure
     */
    public function sign(string $sign): bool
    {
        $isNext = $this->isSign($sign);
        $this->at += (int) $isNext;

        return $isNext;
    }

    /** @phpstan-impure */
    public function name(): string
    {
        $this->must($this->isName());

        return $this->tokens[$this->at++][1];
    }

    /** The next token as it stands in the SQL. Its length is that of its lower case, unless it is in quotes. */
    public function original(): string
    {
        $text = $this->text();
        $length = \strlen($text);

        return substr($this->sql, $this->ends[$this->at] - $length, $length);
    }

    public function position(): int
    {
        return $this->at;
    }

    /**
     * @phpstan-assert true $holds
     *
     * @throws NotUnderstood
     */
    public function must(bool $holds): void
    {
        if (!$holds) {
            throw new NotUnderstood();
        }
    }

    /**
     * The parameters by the position of their tokens, numbered as SQLite does.
     *
     * @return array<int, Constant>
     *
     * @throws NotUnderstood where two names differ in case only, or one is a number: RecordingStatement knows them in
     *     lower case, in one array with the positions
     *
     * @see https://sqlite.org/lang_expr.html#varparam
     */
    public function parameters(): array
    {
        $found = $numbers = $names = [];
        $last = 0;
        foreach ($this->tokens as $at => [$kind, $text]) {
            if ($kind !== 'parameter') {
                continue;
            }
            if ($text[0] === '?') {
                $number = $text === '?' ? $last + 1 : (int) substr($text, 1);
            } else {
                $name = substr($this->sql, $this->ends[$at] - \strlen($text), \strlen($text));
                $this->must(($names[$text] ??= $name) === $name && !ctype_digit(substr($name, 1)));
                $number = $numbers[$text] ??= $last + 1;
            }
            $last = max($last, $number);
            // PDO binds no name that begins with @ or $, only its number.
            $found[$at] = Constant::parameter($number, $text[0] === ':' ? substr($text, 1) : null);
        }

        return $found;
    }
}
