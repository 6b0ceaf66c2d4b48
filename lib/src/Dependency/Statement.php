<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Larder\Dependency\Sql\Grammar;
use Larder\Dependency\Sql\Lexer;
use Larder\Dependency\Sql\Parser;
use Larder\Dependency\Sql\Query;

/**
 * What an SQL text can read, found by its tokens alone. It may find too much, but never too little.
 *
 * Every identifier counts as a possible table. Names where a table must stand (after FROM, JOIN, IN and a comma of a
 * FROM clause) are also listed as sources: one that is not declared could be a view on declared tables. The identifiers
 * need no grammar. Where the sources are not certain, the statement counts as not understood, and its result is not
 * stored. Where the strict parser understands the text too, and finds the same sources, reads() has narrower names.
 *
 * @phpstan-import-type Token from Write
 */
final class Statement
{
    /** Words of a SELECT that writes or locks: in a common table, as SELECT INTO, as FOR UPDATE. */
    private const WRITES = ['insert', 'update', 'delete', 'replace', 'merge', 'into'];
    private const ENDS_FROM = [
        'where', 'group', 'having', 'order', 'limit', 'union', 'except', 'intersect', 'select', 'values',
    ];

    private ?DerivedReads $reads = null;

    /**
     * @param list<string> $identifiers lower case, each once
     * @param list<string> $sources     names where a table must stand, lower case, each once
     * @param string|null  $refusal     why a result of this statement must not be stored
     * @param list<Write>|null $writes  null: unknown, so it may write to every table
     * @param string       $verb        its first word, lower case; of ROLLBACK TO both
     * @param list<string> $parts       its texts, if it is more than one statement
     */
    private function __construct(
        public readonly array $identifiers,
        public readonly array $sources,
        public readonly bool $volatile,
        public readonly ?string $refusal,
        public readonly ?array $writes = [],
        public readonly string $verb = 'select',
        public readonly array $parts = [],
        private readonly ?Query $query = null,
    ) {}

    public static function parse(string $sql, Grammar $grammar): self
    {
        $ends = [];
        $tokens = Lexer::tokens($sql, $grammar, $ends);
        if ($tokens === null) {
            return new self([], [], false, 'cannot be parsed', null, '');
        }
        while ($tokens !== [] && $tokens[\count($tokens) - 1] === ['sign', ';']) {
            array_pop($tokens);
        }
        $refusal = self::refusal($tokens);
        $sources = $refusal === null ? self::sources($tokens, $grammar) : [];
        if ($refusal !== null || $sources === null) {
            return new self(
                [],
                [],
                false,
                $refusal ?? 'cannot be parsed: its FROM clause',
                Write::of($tokens, $sql, $ends),
                self::verb($tokens),
                self::parts($sql, $tokens, $ends),
            );
        }

        return new self(
            self::identifiers($tokens),
            $sources,
            self::isVolatile($tokens, $grammar),
            null,
            query: self::query($sql, $tokens, $ends, $sources, $grammar),
        );
    }

    /** @return DerivedReads|null null: each table in it is read whole */
    public function reads(Registry $registry): ?DerivedReads
    {
        if ($this->query !== null && $this->reads?->isOf($registry) !== true) {
            $this->reads = DerivedReads::of($this->query, $registry);
        }

        return $this->reads;
    }

    /**
     * @param list<Token>  $tokens
     * @param list<int>    $ends
     * @param list<string> $sources
     *
     * @return Query|null null also if it finds other tables than the tokens tell
     */
    private static function query(string $sql, array $tokens, array $ends, array $sources, Grammar $grammar): ?Query
    {
        $query = Parser::parse($sql, $tokens, $ends, $grammar);
        if ($query === null) {
            return null;
        }
        $tables = $query->tables();
        $differ = [...array_diff($sources, $tables), ...array_diff($tables, $sources, $query->common)];

        return $differ === [] ? $query : null;
    }

    /**
     * Whether it surely is a SELECT that changes nothing, as one look tells. Where nothing is recorded, no more has to
     * be known of it; of other statements this says nothing.
     */
    public static function isPlain(string $sql): bool
    {
        return preg_match('/^SELECT\s[\w\s.,*=?:()<>+-]++$/iD', $sql) === 1
            && preg_match('/\b(?:' . implode('|', self::WRITES) . '|with|window)\b/i', $sql) === 0;
    }

    /** @param list<Token> $tokens */
    private static function verb(array $tokens): string
    {
        $first = $tokens[0][1] ?? '';

        return $first === 'rollback' && \in_array(['word', 'to'], $tokens, true) ? 'rollback to' : $first;
    }

    /** @param list<Token> $tokens */
    private static function refusal(array $tokens): ?string
    {
        $first = $tokens[0][1] ?? '';
        foreach ($tokens as $i => [$kind, $text]) {
            $called = ($tokens[$i + 1][1] ?? '') === '(';
            if ($kind === 'word' && \in_array($text, self::WRITES, true) && !($text === 'replace' && $called)) {
                return 'writes';
            }
            if ($text === ';' && $kind === 'sign') {
                return 'is more than one statement';
            }
            if ($kind === 'word' && (($text === 'with' && $i > 0) || ($text === 'window' && $first === 'with'))) {
                return 'cannot be parsed: WITH inside it or beside WINDOW';
            }
        }

        return \in_array($first, ['select', 'values', 'with'], true) ? null : 'is no SELECT';
    }

    /**
     * @param list<Token> $tokens
     * @param list<int>   $ends   offset behind each token
     *
     * @return list<string> the texts of the statements, none if it is only one. That of a trigger ends with `; END`.
     */
    private static function parts(string $sql, array $tokens, array $ends): array
    {
        $parts = [];
        $from = $first = 0;
        foreach ($tokens as $i => $token) {
            $isInside = Write::isTrigger(\array_slice($tokens, $first, 3))
                && ([$tokens[$i - 1] ?? null, $tokens[$i - 2] ?? null] !== [['word', 'end'], ['sign', ';']]);
            if ($token === ['sign', ';'] && !$isInside) {
                $parts[] = substr($sql, $from, $ends[$i] - $from);
                $from = $ends[$i];
                $first = $i + 1;
            }
        }

        return $parts === [] ? [] : [...$parts, substr($sql, $from)];
    }

    /**
     * @param list<Token> $tokens
     *
     * @return list<string>
     */
    private static function identifiers(array $tokens): array
    {
        $names = [];
        foreach ($tokens as [$kind, $text]) {
            if ($kind === 'word' || $kind === 'quoted') {
                $names[$text] = $text;
            }
        }

        return array_values($names);
    }

    /**
     * @param list<Token> $tokens
     *
     * @return list<string>|null null: something else stands where a table must
     */
    private static function sources(array $tokens, Grammar $grammar): ?array
    {
        $sources = $qualified = [];
        /** @var list<bool> $outer whether a FROM clause is open in each enclosing parenthesis */
        $outer = [];
        $from = $expected = false;
        for ($i = 0, $count = \count($tokens); $i < $count; ++$i) {
            [$kind, $text] = $tokens[$i];
            $next = $tokens[$i + 1] ?? ['', ''];
            if ($kind === 'sign' && $text === '(') {
                $outer[] = $from;
                $query = $next[0] === 'word' && \in_array($next[1], ['select', 'values'], true);
                $from = $expected = $expected && !$query;
            } elseif ($expected && \in_array($kind, ['word', 'quoted'], true)) {
                if ($next === ['sign', '.']) {
                    $name = $tokens[$i + 2] ?? ['', ''];
                    if ($text !== 'main' || !\in_array($name[0], ['word', 'quoted'], true)) {
                        return null;
                    }
                    $text = $name[1];
                    $i += 2;
                    $next = $tokens[$i + 1] ?? ['', ''];
                    $qualified[$text] = $text;
                }
                if ($next !== ['sign', '(']) {
                    $sources[$text] = $text;
                } elseif (!$grammar->isTableFunction($text)) {
                    return null;
                }
                $expected = false;
            } elseif ($expected) {
                return null;
            } elseif ($kind === 'sign' && $text === ')') {
                if ($outer === []) {
                    return null;
                }
                $from = array_pop($outer);
            } elseif ($kind === 'sign' && $text === ',') {
                $expected = $from;
            } elseif (
                $kind === 'word'
                && ($text === 'join' || ($text === 'from' && ($tokens[$i - 1][1] ?? '') !== 'distinct'))
            ) {
                $from = $expected = true;
            } elseif ($kind === 'word' && $text === 'in') {
                $expected = $next !== ['sign', '('];
            } elseif ($kind === 'word' && \in_array($text, self::ENDS_FROM, true)) {
                $from = false;
            }
        }

        if ($expected || $outer !== []) {
            return null;
        }
        // main.v is never the common table v.
        $common = ($tokens[0][1] ?? '') === 'with' ? self::commonTables($tokens) : [];

        return array_values([...array_diff($sources, $common), ...$qualified]);
    }

    /**
     * @param list<Token> $tokens
     *
     * @return list<string> names followed by AS and a parenthesis, with or without a column list between
     */
    private static function commonTables(array $tokens): array
    {
        $text = implode(' ', array_map(
            static fn(array $token): string => $token[0] === 'sign' || preg_match('/^\w+$/D', $token[1]) === 1
                ? $token[1]
                : '?',
            $tokens,
        ));
        preg_match_all('/(\w+) (?:\( \w+(?: , \w+)* \) )?as (?:not )?(?:materialized )?\(/', $text, $matches);

        return $matches[1];
    }

    /** @param list<Token> $tokens */
    private static function isVolatile(array $tokens, Grammar $grammar): bool
    {
        foreach ($tokens as $i => [$kind, $text]) {
            $arguments = ($tokens[$i + 1] ?? null) === ['sign', '('] ? self::arguments($tokens, $i + 2) : null;
            $isName = $kind === 'word' || ($kind === 'quoted' && $arguments !== null);
            if ($isName && $grammar->isVolatile($text, $arguments)) {
                return true;
            }
            if ($kind === 'string' && $text === "'now'") {
                return true;
            }
        }

        return false;
    }

    /**
     * @param list<Token> $tokens
     *
     * @return list<list<Token>> the arguments of a call, from behind its parenthesis on
     */
    private static function arguments(array $tokens, int $at): array
    {
        $arguments = [[]];
        for ($depth = 0; isset($tokens[$at]) && ($depth > 0 || $tokens[$at] !== ['sign', ')']); ++$at) {
            $depth += $tokens[$at] === ['sign', '('] ? 1 : 0;
            $depth -= $tokens[$at] === ['sign', ')'] ? 1 : 0;
            if ($depth === 0 && $tokens[$at] === ['sign', ',']) {
                $arguments[] = [];
            } else {
                $arguments[array_key_last($arguments)][] = $tokens[$at];
            }
        }

        return $arguments === [[]] ? [] : $arguments;
    }
}
