<?php

declare(strict_types=1);

namespace Larder\Sql\Reading;

/**
 * @internal What a statement of MariaDB or PostgreSQL writes, and what it does to the transaction, found by its tokens
 * alone. It may find too much, never too little.
 *
 * @phpstan-import-type Token from Write
 */
final readonly class ServerWrite
{
    /** First words of statements that change no rows, and leave the transaction as it is. */
    private const QUIET = [
        'select', 'values', 'with', 'table', '(', 'show', 'describe', 'desc', 'explain', 'help', 'handler', 'kill',
        'checksum', 'signal', 'get', 'prepare', 'deallocate', 'do', 'listen', 'notify', 'unlisten', 'fetch', 'move',
        'close', 'declare', 'checkpoint', 'analyze', '',
    ];

    /** First words of statements that change no rows, but end the transaction where DDL does. */
    private const ENDING = [
        'optimize', 'repair', 'check', 'flush', 'reset', 'cache', 'grant', 'revoke', 'purge', 'change', 'stop',
        'unlock', 'shutdown', 'vacuum', 'cluster', 'reindex', 'comment', 'security', 'lock', 'load', 'set', 'discard',
        'use', 'begin', 'start', 'commit', 'end', 'rollback', 'abort', 'savepoint', 'release', 'xa',
    ];

    /**
     * What a statement does beside its writes, where MariaDB and PostgreSQL have the same words for it.
     *
     * @param list<Token> $tokens
     * @param string|null $ending  of one that changes no rows, and ends the transaction where DDL does; null: its word
     * @param string      $changes of one that is not known, as DDL is
     *
     * @return string the statement's first word, or one of `begin`, `commit`, `rollback`, `rollback to`, `savepoint`,
     *     `release`; `two phases` of XA and the like; `session` if it changes how others are understood, `autocommit`
     *     if it may commit too; `isolation` of SET TRANSACTION; `ends` if it commits and changes no rows; `gate` if it
     *     commits by itself or may, and changes what others read; `lock tables`; `temporary` of a table that only this
     *     connection has; `schema` of DDL that is part of the transaction
     */
    public static function verb(array $tokens, ?string $ending, string $changes): string
    {
        $words = array_column($tokens, 1);
        $first = $words[0] ?? '';
        $second = $words[1] ?? '';

        return match (true) {
            $first === 'start' && $second === 'transaction' => 'begin',
            $first === 'rollback' => self::takenBack($tokens),
            \in_array($first, ['commit', 'savepoint', 'release'], true) => $first,
            $first === 'set' && ($second === 'transaction' || ($words[2] ?? '') === 'transaction') => 'isolation',
            $first === 'set' => preg_grep('/autocommit/', $words) !== [] ? 'autocommit' : 'session',
            \in_array($first, ['insert', 'replace', 'update', 'delete', 'merge', 'copy'], true),
            $first === 'load' && $second !== 'index', \in_array($first, self::QUIET, true) => $first,
            self::isTemporary($words) => 'temporary',
            \in_array($first, self::ENDING, true), $first === 'load' => $ending ?? $first,
            default => $changes,
        };
    }

    /** @param list<Token> $tokens of ROLLBACK */
    public static function takenBack(array $tokens): string
    {
        return \in_array(['word', 'to'], $tokens, true) ? 'rollback to' : 'rollback';
    }

    /** Whether it is none that the tokens tell. */
    public static function isUnclear(ServerTokens $statement): bool
    {
        $tokens = $statement->tokens;
        $isQuoted = $tokens !== [] && !\in_array($tokens[0][0], ['word', 'sign'], true);

        return $isQuoted || \in_array(['sign', ';'], $tokens, true);
    }

    /** @return list<Write> what is written by functions that it calls and that are not known */
    public static function called(ServerTokens $statement): array
    {
        return $statement->isKnown() ? [] : [new Write('', calls: true)];
    }

    /** @return list<Write>|null of ANALYZE or EXPLAIN ANALYZE, which run what they explain */
    public static function analyzed(ServerTokens $statement): ?array
    {
        $words = array_column($statement->tokens, 1);
        $written = array_intersect(['insert', 'update', 'delete', 'replace', 'merge', 'create', 'execute'], $words);

        return $written === [] ? self::called($statement) : null;
    }

    /**
     * What is written, where MariaDB and PostgreSQL have the same words for it.
     *
     * @return list<Write>|null null: unknown, so it may write to every table. One without a table only calls functions
     *     that are not known.
     */
    public static function of(ServerTokens $statement): ?array
    {
        $words = array_column($statement->tokens, 1);
        $first = $words[0] ?? '';

        return match (true) {
            $first === 'insert', $first === 'replace' => ServerInsert::writes($statement),
            $first === 'update' => ServerChange::updates($statement),
            $first === 'delete' => ServerChange::deletes($statement),
            $first === 'merge' => $statement->written(($words[1] ?? '') === 'into' ? 2 : 1),
            $first === 'copy' => self::copied($statement),
            $first === 'load' && ($words[1] ?? '') === 'data' => self::loaded($statement),
            $first === 'truncate' => self::truncated($statement),
            $first === 'with' => self::common($statement),
            $first === 'set' && ($words[1] ?? '') === 'statement' && !self::isTimed($words) => null,
            $first === 'explain' && \in_array('analyze', $words, true) => self::analyzed($statement),
            $first === 'explain', $first === 'prepare' => [],
            self::isTemporary($words) => self::temporary($statement),
            \in_array($first, self::QUIET, true), \in_array($first, self::ENDING, true) => self::called($statement),
            default => null,
        };
    }

    /**
     * Whether it is a SELECT with a limit of its time, as MediaWiki sends it. Another setting may change what it says.
     *
     * @param list<string> $words of SET STATEMENT
     */
    public static function isTimed(array $words): bool
    {
        return \array_slice($words, 2, 2) === ['max_statement_time', '=']
            && \array_slice($words, 5, 2) === ['for', 'select'];
    }

    /** @param list<string> $words */
    public static function isTemporary(array $words): bool
    {
        if (!\in_array($words[0] ?? '', ['create', 'drop'], true)) {
            return false;
        }
        $at = \array_slice($words, 1, 2) === ['or', 'replace'] ? 3 : 1;
        $at += \in_array($words[$at] ?? '', ['local', 'global'], true) ? 1 : 0;

        return \in_array($words[$at] ?? '', ['temporary', 'temp'], true)
            && \in_array($words[$at + 1] ?? '', ['table', 'sequence'], true);
    }

    /** @return list<Write>|null */
    private static function temporary(ServerTokens $statement): ?array
    {
        $tokens = $statement->tokens;
        $at = array_search(['word', 'table'], $tokens, true);
        $at = ($at === false ? (int) array_search(['word', 'sequence'], $tokens, true) : $at) + 1;
        while (\in_array($tokens[$at] ?? null, [['word', 'if'], ['word', 'not'], ['word', 'exists']], true)) {
            ++$at;
        }
        $at += ($tokens[$at + 1] ?? null) === ['sign', '.'] ? 2 : 0;

        return $statement->written($at);
    }

    /** @return list<Write>|null */
    private static function copied(ServerTokens $statement): ?array
    {
        $words = array_column($statement->tokens, 1);
        if (($words[1] ?? '') === '(') {
            return array_intersect(['insert', 'update', 'delete', 'merge'], $words) === []
                ? self::called($statement)
                : null;
        }
        $table = $statement->table(1);
        $outer = array_column($statement->outer(2), 1);

        return match (true) {
            \in_array('program', $words, true), $table === null => null,
            \in_array('to', $outer, true) && !\in_array('from', $outer, true) => [],
            default => [new Write($table, [Write::INSERT])],
        };
    }

    /** @return list<Write>|null */
    private static function loaded(ServerTokens $statement): ?array
    {
        $tokens = $statement->tokens;
        $into = array_search(['word', 'into'], $tokens, true);
        $table = $into !== false && ($tokens[$into + 1] ?? null) === ['word', 'table']
            ? $statement->table($into + 2)
            : null;

        return $table === null ? null : [new Write($table, [Write::INSERT, Write::DELETE], calls: true)];
    }

    /** @return list<Write>|null */
    private static function truncated(ServerTokens $statement): ?array
    {
        $tokens = $statement->tokens;
        $at = ($tokens[1] ?? null) === ['word', 'table'] ? 2 : 1;
        $at += ($tokens[$at] ?? null) === ['word', 'only'] ? 1 : 0;
        $table = $statement->table($at);
        $rest = array_column(\array_slice($tokens, $at + 1), 1);
        $isOne = array_diff($rest, ['restart', 'continue', 'identity', 'restrict', 'wait', 'nowait']) === [];

        return $table !== null && $isOne ? [new Write($table)] : null;
    }

    /**
     * What the common tables of a statement write, and the statement itself.
     *
     * @return list<Write>|null
     */
    private static function common(ServerTokens $statement): ?array
    {
        $tokens = $statement->tokens;
        $writes = $statement->isKnown() ? [] : [new Write('', calls: true)];
        foreach ($tokens as $i => [$kind, $text]) {
            if ($kind !== 'word') {
                continue;
            }
            $before = $tokens[$i - 1][1] ?? '';
            $next = $tokens[$i + 1][1] ?? '';
            $at = match (true) {
                $text === 'insert' && $next === 'into', $text === 'delete' && $next === 'from',
                $text === 'merge' && $next === 'into' => $i + 2,
                $text === 'update' && !\in_array($before, ['for', 'do', 'key', 'then', 'on'], true) => $i + 1,
                $text === 'into' && !\in_array($before, ['insert', 'merge'], true) => -1,
                $text === 'replace' && ($tokens[$i + 1] ?? null) !== ['sign', '('] => -1,
                default => null,
            };
            $written = $at === null ? [] : $statement->written($at);
            if ($written === null) {
                return null;
            }
            $writes = [...$writes, ...$written];
        }

        return $writes;
    }
}
