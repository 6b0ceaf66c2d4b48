<?php

declare(strict_types=1);

namespace Larder\Sql\Reading;

/**
 * @internal What a statement of PostgreSQL writes, and what it does to the transaction, where MariaDB has other words.
 *
 * @phpstan-import-type Token from Write
 */
final readonly class PostgreSqlWrite
{
    private const TWO_PHASES = [['prepare', 'transaction'], ['commit', 'prepared'], ['rollback', 'prepared']];

    /** What no statement makes inside a transaction, or what no rows depend on. */
    private const OUTSIDE = [
        'database', 'tablespace', 'system', 'role', 'user', 'group', 'subscription', 'publication',
    ];

    /**
     * @param list<Token> $tokens
     *
     * @return string as of ServerWrite
     */
    public static function verb(array $tokens): string
    {
        $first = $tokens[0][1] ?? '';

        return match (true) {
            \in_array(['sign', ';'], $tokens, true) => '',
            \in_array([$first, $tokens[1][1] ?? ''], self::TWO_PHASES, true) => 'two phases',
            $first === 'begin' => 'begin',
            $first === 'end' => 'commit',
            $first === 'abort' => ServerWrite::takenBack($tokens),
            $first === 'reset', $first === 'discard' => 'session',
            default => ServerWrite::verb($tokens, null, 'schema'),
        };
    }

    /** @return list<Write>|null as of ServerWrite */
    public static function of(ServerTokens $statement): ?array
    {
        $words = array_column($statement->tokens, 1);
        $first = $words[0] ?? '';
        $isSelect = \in_array($first, ['select', 'table', 'values', '('], true);

        return match (true) {
            ServerWrite::isUnclear($statement), $first === 'do',
            $isSelect && \in_array(['word', 'into'], $statement->tokens, true) => null,
            $first === 'comment', $first === 'security' => [],
            self::changesNoRows($words) && !ServerWrite::isTemporary($words) => [],
            default => ServerWrite::of($statement),
        };
    }

    /** @param list<string> $words */
    private static function changesNoRows(array $words): bool
    {
        return \in_array($words[0] ?? '', ['create', 'drop', 'alter'], true)
            && (\in_array('concurrently', $words, true) || \in_array($words[1] ?? '', self::OUTSIDE, true));
    }
}
