<?php

declare(strict_types=1);

namespace Larder\Sql\Reading;

/**
 * @internal What a statement of MariaDB writes, and what it does to the transaction, where PostgreSQL has other words.
 *
 * @phpstan-import-type Token from Write
 */
final readonly class MariaDbWrite
{
    /**
     * @param list<Token> $tokens
     *
     * @return string as of ServerWrite
     */
    public static function verb(array $tokens): string
    {
        $words = array_column($tokens, 1);
        $first = $words[0] ?? '';
        $second = $words[1] ?? '';

        return match (true) {
            \in_array(['sign', ';'], $tokens, true) => 'gate',
            $first === 'xa' => 'two phases',
            $first === 'begin' => $words === ['begin'] || $words === ['begin', 'work'] ? 'begin' : 'gate',
            $first === 'set' && $second === 'statement' => ServerWrite::isTimed($words) ? 'select' : 'gate',
            $first === 'use' => 'session',
            $first === 'lock' => 'lock tables',
            $first === 'analyze'
                => \in_array($second, ['table', 'local', 'no_write_to_binlog'], true) ? 'ends' : 'analyze',
            default => ServerWrite::verb($tokens, 'ends', 'gate'),
        };
    }

    /** @return list<Write>|null as of ServerWrite */
    public static function of(ServerTokens $statement): ?array
    {
        $first = $statement->tokens[0][1] ?? '';

        return match (true) {
            ServerWrite::isUnclear($statement), $first === 'comment', $first === 'security' => null,
            $first === 'analyze' && self::verb($statement->tokens) === 'analyze' => ServerWrite::analyzed($statement),
            $first === 'begin' => self::verb($statement->tokens) === 'begin' ? [] : null,
            default => ServerWrite::of($statement),
        };
    }
}
