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
        '' => 1,
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

    /** @var list<string> words and signs; '' for all else */
    private readonly array $keys;

    /** @var array<int, Constant> by the position of their tokens */
    private readonly array $parameters;

    /**
     * @param list<Token> $tokens in lower case
     * @param list<int>   $ends   offset behind each token
     *
     * @throws NotUnderstood where two parameters differ in case only, since RecordingStatement knows them in lower case
     */
    public function __construct(
        private readonly array $tokens,
        private readonly string $sql,
        private readonly array $ends,
    ) {
        $keys = $parameters = [];
        foreach ($tokens as $at => [$kind, $text]) {
            $keys[] = $kind === 'word' || $kind === 'sign' ? $text : '';
            if ($kind === 'parameter') {
                $parameters[] = $at;
            }
        }
        $this->keys = $keys;
        $this->parameters = $parameters === [] ? [] : $this->numbered($parameters);
    }

    /** The kind of the token that is next; '' behind the last one. */
    public function kind(): string
    {
        return $this->tokens[$this->at][0] ?? '';
    }

    public function text(): string
    {
        return $this->tokens[$this->at][1] ?? '';
    }

    /** The word or sign that is next, or one further on; '' if it is neither. */
    public function key(int $ahead = 0): string
    {
        return $this->keys[$this->at + $ahead] ?? '';
    }

    /** Whether the word or sign is next. */
    public function is(string $key): bool
    {
        return ($this->keys[$this->at] ?? '') === $key;
    }

    /** Whether a name of a table, a column or an alias is next. */
    public function isName(): bool
    {
        $kind = $this->tokens[$this->at][0] ?? '';

        return $kind === 'quoted' || ($kind === 'word' && !isset(self::RESERVED[$this->keys[$this->at]]));
    }

    public function isQuery(): bool
    {
        return $this->is('select') || $this->is('values');
    }

    public function skip(int $tokens = 1): void
    {
        $this->at += $tokens;
    }

    /**
     * Reads the word or sign if it is next.
     *
     * @phpstan-impure
     */
    public function take(string $key): bool
    {
        if (($this->keys[$this->at] ?? '') !== $key) {
            return false;
        }
        ++$this->at;

        return true;
    }

    /**
     * Reads the word or sign, which must be next.
     *
     * @throws NotUnderstood
     */
    public function expect(string $key): void
    {
        if (($this->keys[$this->at] ?? '') !== $key) {
            throw new NotUnderstood();
        }
        ++$this->at;
    }

    /**
     * @phpstan-impure
     *
     * @throws NotUnderstood
     */
    public function name(): string
    {
        $this->must($this->isName());

        return $this->tokens[$this->at++][1];
    }

    /** Reads a string as it stands in the SQL, with its quotes. */
    public function string(): string
    {
        $string = $this->original($this->at);
        ++$this->at;

        return $string;
    }

    /** Reads a parameter. */
    public function parameter(): Constant
    {
        return $this->parameters[$this->at++];
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

    /** A token has the length of its lower case, unless it is a name in quotes. */
    private function original(int $at): string
    {
        $length = \strlen($this->tokens[$at][1]);

        return substr($this->sql, $this->ends[$at] - $length, $length);
    }

    /**
     * Numbers parameters as SQLite does.
     *
     * @param list<int> $positions of their tokens
     *
     * @return array<int, Constant>
     *
     * @throws NotUnderstood
     *
     * @see https://sqlite.org/lang_expr.html#varparam
     */
    private function numbered(array $positions): array
    {
        $found = $numbers = $names = [];
        $last = 0;
        foreach ($positions as $at) {
            $text = $this->tokens[$at][1];
            if ($text[0] === '?') {
                $number = $text === '?' ? $last + 1 : (int) substr($text, 1);
            } else {
                $name = $this->original($at);
                $this->must(($names[$text] ??= $name) === $name);
                $number = $numbers[$text] ??= $last + 1;
            }
            $last = max($last, $number);
            // PDO binds no name that begins with @ or $, only its number.
            $found[$at] = Constant::parameter($number, $text[0] === ':' ? $text : null);
        }

        return $found;
    }
}
