<?php

declare(strict_types=1);

namespace Larder\Dependency\Sql;

/**
 * @internal The tokens of one statement, and how far they are read.
 *
 * @phpstan-import-type Token from \Larder\Dependency\Tracker\Write
 */
final class Tokens
{
    private int $at = 0;

    /** @var list<string> words and signs; '' for all else */
    private readonly array $keys;

    /** @var array<int, Constant> by the position of their tokens */
    private readonly array $parameters;

    /** @var array<int, int> which literal of the statement's shape, from 1 on, by the position of its token */
    private readonly array $literals;

    /** @var array<string, string> names of tables and aliases as they are written, by name in lower case */
    private array $spelt = [];

    /**
     * @param list<Token> $tokens in lower case
     * @param list<int>   $ends   offset behind each token
     *
     * @throws NotUnderstood where two parameters differ in case only, since RecordingStatement knows them in lower
     *     case, or where PDO takes another text for a parameter
     */
    public function __construct(
        private readonly array $tokens,
        private readonly string $sql,
        private readonly array $ends,
        private readonly Grammar $grammar,
    ) {
        $keys = $parameters = $literals = [];
        foreach ($tokens as $at => [$kind, $text]) {
            $keys[] = $kind === 'word' || $kind === 'sign' ? $text : '';
            if ($kind === 'parameter') {
                $parameters[] = $at;
            } elseif (($kind === 'number' || $kind === 'string') && Lexer::literal($kind, $text, $grammar) !== null) {
                $literals[$at] = \count($literals) + 1;
            }
        }
        $this->keys = $keys;
        $this->literals = $literals;
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

        return $kind === 'quoted' || ($kind === 'word' && !$this->grammar->isReserved($this->keys[$this->at]));
    }

    /** Whether the statement ends here, or what stands in parentheses. */
    public function isEnd(): bool
    {
        return ($this->keys[$this->at] ?? ')') === ')';
    }

    public function isQuery(): bool
    {
        return $this->is('select') || ($this->is('values') && $this->key(1) === '(');
    }

    /** Whether a word is next that is no name, and it is this one. */
    public function isReserved(string $word): bool
    {
        return $this->is($word) && $this->grammar->isReserved($word);
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

    /**
     * Reads a name of a table, or an alias.
     *
     * @phpstan-impure
     *
     * @throws NotUnderstood if another one differs in case only
     */
    public function source(): string
    {
        $name = $this->name();
        if ($this->grammar->tellsCases()) {
            $written = Lexer::written($this->sql, $this->ends[$this->at - 1], $name);
            $this->must(strtolower($written) === $name && ($this->spelt[$name] ??= $written) === $written);
        }

        return $name;
    }

    /** Reads a string. */
    public function string(): ?Constant
    {
        $at = $this->at++;
        $text = $this->grammar->text($this->original($at));

        return $text === null ? null : Constant::literal($text, $this->literals[$at] ?? 0);
    }

    /**
     * Reads a number.
     *
     * @param 1|-1 $sign that stands before it
     *
     * @return Constant|null null: it is no integer
     */
    public function number(int $sign = 1): ?Constant
    {
        $at = $this->at++;
        $text = $this->tokens[$at][1];

        return Lexer::isInteger($text)
            ? Constant::literal($sign * (int) $text, $sign * ($this->literals[$at] ?? 0))
            : null;
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
     * Numbers parameters as SQLite does. PDO numbers those of other databases the same way.
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
        $this->must($this->grammar->numbersParameters() || $this->areOfPdo($positions));
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

    /**
     * Whether PDO finds the same parameters. It knows few rules of the database, and so may find one in a text.
     *
     * @param list<int> $positions of their tokens
     *
     * @see https://github.com/php/php-src/blob/PHP-8.2/ext/pdo/pdo_sql_parser.re
     */
    private function areOfPdo(array $positions): bool
    {
        $pattern = <<<'PCRE'
            ~"(?:\\.|[^"\\])*+"|'(?:\\.|[^'\\])*+'|::++|\?\?|/\*.*?\*/|--[^\r\n]*+|(?<mark>\?|:[A-Za-z0-9_]++)|.~s
            PCRE;
        preg_match_all($pattern, $this->sql, $matches, PREG_OFFSET_CAPTURE | PREG_UNMATCHED_AS_NULL);
        $ends = [];
        foreach ($matches['mark'] as [$mark, $offset]) {
            if ($mark !== null) {
                $ends[] = $offset + \strlen($mark);
            }
        }
        // PDO leaves $1 to the database, and does not bind it beside others.
        $own = array_filter($positions, fn(int $at): bool => $this->tokens[$at][1][0] !== '$');

        return $ends === array_map(fn(int $at): int => $this->ends[$at], array_values($own))
            && ($own === [] || \count($own) === \count($positions));
    }
}
