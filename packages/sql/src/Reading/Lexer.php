<?php

declare(strict_types=1);

namespace Larder\Sql\Reading;

/**
 * @internal Splits an SQL text into tokens, by the rules of a grammar.
 *
 * @phpstan-type Token array{string, string}
 */
final readonly class Lexer
{
    /** Of tokens; here each is one string, however many tokens have it. */
    private const KINDS = [
        'string' => 'string', 'quoted' => 'quoted', 'word' => 'word', 'number' => 'number',
        'parameter' => 'parameter', 'variable' => 'variable', 'sign' => 'sign',
    ];

    /** Stand in a shape for an integer and for a string. */
    private const INTEGER = "\0i";
    private const STRING = "\0s";

    /**
     * What a text has in common with others that differ in their literals alone.
     *
     * @param array<array-key, list<string>>|null $matches gets what tokens() can go on with
     *
     * @param-out array<array-key, list<string>> $matches
     *
     * @return array{string, list<int|string>}|null the text with a mark in place of each literal that literal() knows,
     *     and these; null: it has no shape
     */
    public static function shape(string $sql, Grammar $grammar, ?array &$matches = null): ?array
    {
        preg_match_all($grammar->token(), $sql, $matches);
        if (str_contains($sql, "\0")) {
            return null;
        }
        $literals = [];
        $more = 0;
        $parts = $matches[0];
        foreach ($matches['MARK'] ?? [] as $i => $kind) {
            if ($kind === 'number' || $kind === 'string') {
                $text = $parts[$i];
                $literal = self::literal($kind, $text, $grammar);
                if ($literal !== null) {
                    $parts[$i] = $kind === 'number' ? self::INTEGER : self::STRING;
                    $more += \strlen($text) - 2;
                    $literals[] = $literal;
                }
            }
        }
        $shape = implode('', $parts);

        return \strlen($shape) + $more === \strlen($sql) ? [$shape, $literals] : null;
    }

    /**
     * The value of a token that says nothing else: of an integer, or of a string in plain quotes. The token may be in
     * lower case.
     */
    public static function literal(string $kind, string $text, Grammar $grammar): int|string|null
    {
        if ($kind === 'number') {
            return self::isInteger($text) ? (int) $text : null;
        }
        $length = \strlen($text) - 2;

        return $kind === 'string' && $text[0] === "'" && strcspn($text, "'\\", 1) === $length
            && !$grammar->isClock(strtolower($text)) ? substr($text, 1, $length) : null;
    }

    /** As SQLite writes it itself, and so small that it is one on each platform. */
    public static function isInteger(string $number): bool
    {
        return \strlen($number) <= 18 && ctype_digit($number) && ($number[0] !== '0' || $number === '0');
    }

    /**
     * @param list<int>                           $ends    gets the offset behind each token
     * @param array<array-key, list<string>>|null $matches of shape()
     *
     * @return list<Token>|null kind and text; words in lower case, identifiers without quotes
     */
    public static function tokens(string $sql, Grammar $grammar, array &$ends = [], ?array $matches = null): ?array
    {
        $tokens = [];
        $at = 0;
        $isBehindDot = false;
        if ($matches === null) {
            preg_match_all($grammar->token(), $sql, $matches);
        }
        $marks = $matches['MARK'] ?? [];
        foreach ($matches[0] as $i => $text) {
            $at += \strlen($text);
            $kind = self::KINDS[$marks[$i] ?? ''] ?? '';
            if ($kind !== '') {
                // Behind a dot each word is a name.
                $tokens[] = [
                    $isBehindDot && $kind === 'word' ? 'quoted' : $kind,
                    $kind === 'quoted' ? $grammar->unquote($text) : strtolower($text),
                ];
                $ends[] = $at;
                $isBehindDot = $text === '.' && $kind === 'sign';
            }
        }
        // Each token begins where the last one ended. Where one fits nothing, all behind it is missing.
        return $at === \strlen($sql) ? $tokens : null;
    }

    /** A name as it is written, without its quotes; something else if its quotes hold quotes. */
    public static function written(string $sql, int $end, string $name): string
    {
        $isQuoted = \in_array($sql[$end - 1], ['`', '"', ']'], true);

        return substr($sql, $end - \strlen($name) - (int) $isQuoted, \strlen($name));
    }
}
