<?php

declare(strict_types=1);

namespace Larder\Dependency;

/**
 * What an SQL text can read, found by its tokens alone. It may find too much, but never too little.
 *
 * Every identifier counts as a possible table. Names where a table must stand (after FROM, JOIN, IN and a comma of a
 * FROM clause) are also listed as sources: one that is not declared could be a view on declared tables. The identifiers
 * need no grammar. Where the sources are not certain, the statement counts as not understood, and its result is not
 * stored.
 */
final readonly class Statement
{
    /** Words of a SELECT that writes or locks: in a common table, as SELECT INTO, as FOR UPDATE. */
    private const WRITES = ['insert', 'update', 'delete', 'replace', 'merge', 'into'];
    private const ENDS_FROM = [
        'where', 'group', 'having', 'order', 'limit', 'window', 'union', 'except', 'intersect', 'select', 'values',
    ];

    /**
     * @param list<string> $identifiers lower case, each once
     * @param list<string> $sources     names where a table must stand, lower case, each once
     * @param string|null  $refusal     why a result of this statement must not be stored
     */
    private function __construct(
        public array $identifiers,
        public array $sources,
        public bool $volatile,
        public ?string $refusal,
    ) {}

    public static function parse(string $sql, Dialect $dialect): self
    {
        $tokens = self::tokens($sql, $dialect);
        if ($tokens === null) {
            return self::refused('cannot be parsed');
        }
        while ($tokens !== [] && $tokens[\count($tokens) - 1][1] === ';') {
            array_pop($tokens);
        }
        $first = $tokens[0][1] ?? '';
        foreach ($tokens as $i => [$kind, $text]) {
            $called = ($tokens[$i + 1][1] ?? '') === '(';
            if ($kind === 'word' && \in_array($text, self::WRITES, true) && !($text === 'replace' && $called)) {
                return self::refused('writes');
            }
            if ($text === ';' && $kind === 'sign') {
                return self::refused('is more than one statement');
            }
            if ($kind === 'word' && (($text === 'with' && $i > 0) || ($text === 'window' && $first === 'with'))) {
                return self::refused('cannot be parsed: WITH inside it or beside WINDOW');
            }
        }
        if (!\in_array($first, ['select', 'values', 'with'], true)) {
            return self::refused('is no SELECT');
        }
        $sources = self::sources($tokens, $dialect);
        if ($sources === null) {
            return self::refused('cannot be parsed: its FROM clause');
        }
        $common = $first === 'with' ? self::commonTables($tokens) : [];

        return new self(
            self::identifiers($tokens),
            array_values(array_diff($sources, $common)),
            self::isVolatile($tokens, $dialect),
            null,
        );
    }

    private static function refused(string $reason): self
    {
        return new self([], [], false, $reason);
    }

    /** @return list<array{string, string}>|null kind and text; words and identifiers in lower case, without quotes */
    private static function tokens(string $sql, Dialect $dialect): ?array
    {
        $tokens = [];
        for ($at = 0, $end = \strlen($sql); $at < $end; $at += \strlen($match[0])) {
            if (
                preg_match($dialect->token(), $sql, $match, PREG_UNMATCHED_AS_NULL, $at) !== 1
                || $match[0] === null
                || $match[0] === ''
            ) {
                return null;
            }
            foreach (['string', 'quoted', 'word', 'number', 'parameter', 'sign'] as $kind) {
                if (($match[$kind] ?? null) !== null) {
                    $text = $kind === 'quoted' ? $dialect->unquote($match[0]) : $match[0];
                    $tokens[] = [$kind, strtolower($text)];
                }
            }
        }

        return $tokens;
    }

    /**
     * @param list<array{string, string}> $tokens
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
     * @param list<array{string, string}> $tokens
     *
     * @return list<string>|null null: something else stands where a table must
     */
    private static function sources(array $tokens, Dialect $dialect): ?array
    {
        $sources = [];
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
                }
                if ($next !== ['sign', '(']) {
                    $sources[$text] = $text;
                } elseif (!$dialect->isTableFunction($text)) {
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

        return $expected || $outer !== [] ? null : array_values($sources);
    }

    /**
     * @param list<array{string, string}> $tokens
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

    /** @param list<array{string, string}> $tokens */
    private static function isVolatile(array $tokens, Dialect $dialect): bool
    {
        foreach ($tokens as $i => [$kind, $text]) {
            $called = ($tokens[$i + 1] ?? null) === ['sign', '('];
            if ($kind === 'word' && $dialect->isVolatile($text, $called, $tokens[$i + 2][1] ?? '')) {
                return true;
            }
            if ($kind === 'string' && $text === "'now'") {
                return true;
            }
        }

        return false;
    }
}
