<?php

declare(strict_types=1);

namespace Larder\Dependency\Sql;

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

    /**
     * @param list<int> $ends gets the offset behind each token
     *
     * @return list<Token>|null kind and text; words in lower case, identifiers without quotes
     */
    public static function tokens(string $sql, Grammar $grammar, array &$ends = []): ?array
    {
        $tokens = [];
        $at = 0;
        preg_match_all($grammar->token(), $sql, $matches);
        foreach ($matches[0] as $i => $text) {
            $at += \strlen($text);
            $kind = self::KINDS[$matches['MARK'][$i] ?? ''] ?? '';
            if ($kind !== '') {
                $token = $kind === 'quoted' ? $grammar->unquote($text) : strtolower($text);
                // Behind a dot each word is a name.
                $isName = $kind === 'word' && ($tokens[\count($tokens) - 1] ?? null) === ['sign', '.'];
                $tokens[] = [$isName ? 'quoted' : $kind, $token];
                $ends[] = $at;
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
