<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Larder\Dependency\Sql\Grammar;
use Larder\Dependency\Sql\MariaDbGrammar;

/**
 * @internal What a statement of MariaDB or PostgreSQL writes, and what it does to the transaction, found by its tokens
 * alone. It may find too much, never too little.
 *
 * @phpstan-import-type Token from Write
 */
final readonly class ServerWrite
{
    /** Words that a parenthesis may follow, which then calls nothing. */
    private const OPERATORS = [
        'all', 'and', 'any', 'array', 'as', 'bigint', 'binary', 'between', 'bit', 'by', 'case', 'char', 'character',
        'conflict', 'cross', 'decimal', 'default', 'distinct', 'div', 'else', 'escape', 'except', 'exists', 'filter',
        'float', 'for', 'from', 'group', 'having', 'ilike', 'in', 'index', 'inner', 'int', 'integer', 'intersect',
        'interval', 'into', 'is', 'join', 'key', 'lateral', 'left', 'like', 'limit', 'materialized', 'mod', 'not',
        'null', 'numeric', 'of', 'offset', 'on', 'or', 'over', 'partition', 'regexp', 'returning', 'right', 'rlike',
        'row', 'select', 'set', 'some', 'table', 'then', 'time', 'timestamp', 'union', 'unsigned', 'update', 'using',
        'value', 'values', 'varbinary', 'varchar', 'when', 'where', 'window', 'with', 'within', 'xor',
    ];

    /** Words with which a condition reads more than the row that it is about, or one row otherwise than another. */
    private const UNCERTAIN = [
        'any', 'current', 'current_date', 'current_time', 'current_timestamp', 'current_user', 'default', 'exists',
        'filter', 'from', 'group', 'having', 'interval', 'join', 'limit', 'localtime', 'localtimestamp', 'match',
        'next', 'offset', 'order', 'over', 'procedure', 'previous', 'select', 'session_user', 'set', 'some', 'sysdate',
        'table', 'union', 'user', 'using', 'utc_date', 'utc_time', 'utc_timestamp', 'values', 'where', 'window',
        'with', 'ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid',
    ];

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

    /** What no statement of PostgreSQL makes inside a transaction, or what no rows depend on. */
    private const OUTSIDE = [
        'database', 'tablespace', 'system', 'role', 'user', 'group', 'subscription', 'publication',
    ];

    private const MODIFIERS = ['low_priority', 'high_priority', 'delayed', 'quick', 'ignore'];

    /**
     * What a statement does beside its writes.
     *
     * @param list<Token> $tokens
     *
     * @return string the statement's first word, or one of `begin`, `commit`, `rollback`, `rollback to`, `savepoint`,
     *     `release`; `two phases` of XA and the like; `session` if it changes how others are understood, `autocommit`
     *     if it may commit too; `isolation` of SET TRANSACTION; `ends` if it commits and changes no rows; `gate` if it
     *     commits by itself or may, and
     *     changes what others read; `lock tables`; `temporary` of a table that only this connection has; `schema` of
     *     DDL that is part of the transaction
     */
    public static function verb(array $tokens, Grammar $grammar): string
    {
        $isMariaDb = $grammar instanceof MariaDbGrammar;
        $words = array_column($tokens, 1);
        $first = $words[0] ?? '';
        $second = $words[1] ?? '';
        $two = \in_array([$first, $second], [
            ['prepare', 'transaction'], ['commit', 'prepared'], ['rollback', 'prepared'],
        ], true);
        if (\in_array(['sign', ';'], $tokens, true)) {
            return $isMariaDb ? 'gate' : '';
        }

        return match (true) {
            $first === 'xa' && $isMariaDb, $two && !$isMariaDb => 'two phases',
            $first === 'begin' && $isMariaDb => $words === ['begin'] || $words === ['begin', 'work'] ? 'begin' : 'gate',
            $first === 'begin', $first === 'start' && $second === 'transaction' => 'begin',
            $first === 'commit', $first === 'end' && !$isMariaDb => 'commit',
            $first === 'rollback', $first === 'abort' && !$isMariaDb
                => \in_array(['word', 'to'], $tokens, true) ? 'rollback to' : 'rollback',
            \in_array($first, ['savepoint', 'release'], true) => $first,
            $first === 'set' && $second === 'statement' && $isMariaDb => self::isTimed($words) ? 'select' : 'gate',
            $first === 'set' && ($second === 'transaction' || ($words[2] ?? '') === 'transaction') => 'isolation',
            $first === 'set' => preg_grep('/autocommit/', $words) !== [] ? 'autocommit' : 'session',
            $first === 'use' && $isMariaDb, \in_array($first, ['reset', 'discard'], true) && !$isMariaDb => 'session',
            $first === 'lock' && $isMariaDb => 'lock tables',
            $first === 'analyze' && $isMariaDb
                => \in_array($second, ['table', 'local', 'no_write_to_binlog'], true) ? 'ends' : 'analyze',
            \in_array($first, ['insert', 'replace', 'update', 'delete', 'merge', 'copy'], true),
            $first === 'load' && $second !== 'index', \in_array($first, self::QUIET, true) => $first,
            self::isTemporary($words) => 'temporary',
            \in_array($first, self::ENDING, true), $first === 'load' => $isMariaDb ? 'ends' : $first,
            default => $isMariaDb ? 'gate' : 'schema',
        };
    }

    /**
     * @param list<Token> $tokens of one statement
     * @param string      $sql    its text
     * @param list<int>   $ends   the offset in the text behind each token
     *
     * @return list<Write>|null null: unknown, so it may write to every table. One without a table only calls functions
     *     that are not known.
     */
    public static function of(array $tokens, string $sql, array $ends, Grammar $grammar): ?array
    {
        $isMariaDb = $grammar instanceof MariaDbGrammar;
        $words = array_column($tokens, 1);
        $first = $words[0] ?? '';
        $isQuoted = $tokens !== [] && !\in_array($tokens[0][0], ['word', 'sign'], true);
        if ($isQuoted || \in_array(['sign', ';'], $tokens, true)) {
            return null;
        }
        $isKnown = self::isKnown($tokens, $ends, $grammar);
        $only = $isKnown ? [] : [new Write('', calls: true)];
        $runs = $first === 'explain' && \in_array('analyze', $words, true);
        if ($runs || ($first === 'analyze' && $isMariaDb && self::verb($tokens, $grammar) === 'analyze')) {
            $written = array_intersect(['insert', 'update', 'delete', 'replace', 'merge', 'create', 'execute'], $words);

            return $written === [] ? $only : null;
        }

        return match (true) {
            $first === 'insert', $first === 'replace' => self::inserted($tokens, $sql, $ends, $grammar, $isKnown),
            $first === 'update' => self::updated($tokens, $sql, $ends, $grammar, $isKnown),
            $first === 'delete' => self::deleted($tokens, $sql, $ends, $grammar, $isKnown),
            $first === 'merge' => self::one($tokens, ($words[1] ?? '') === 'into' ? 2 : 1, $isKnown),
            $first === 'copy' => self::copied($tokens, $only),
            $first === 'load' && ($words[1] ?? '') === 'data' => self::loaded($tokens),
            $first === 'truncate' => self::truncated($tokens),
            $first === 'with' => self::common($tokens, $isKnown),
            \in_array($first, ['select', 'table', 'values', '('], true)
                => !$isMariaDb && \in_array(['word', 'into'], $tokens, true) ? null : $only,
            $first === 'set' => ($words[1] ?? '') === 'statement' && !self::isTimed($words) ? null : $only,
            $first === 'begin' && $isMariaDb => self::verb($tokens, $grammar) === 'begin' ? [] : null,
            $first === 'do' => $isMariaDb ? $only : null,
            $first === 'explain', $first === 'prepare' => [],
            $first === 'comment', $first === 'security' => $isMariaDb ? null : [],
            self::isTemporary($words) => self::temporary($tokens, $isKnown),
            !$isMariaDb && \in_array($first, ['create', 'drop', 'alter'], true)
                && (\in_array('concurrently', $words, true) || \in_array($words[1] ?? '', self::OUTSIDE, true)) => [],
            \in_array($first, self::QUIET, true), \in_array($first, self::ENDING, true) => $only,
            default => null,
        };
    }

    /**
     * Whether it is a SELECT with a limit of its time, as MediaWiki sends it. Another setting may change what it says.
     *
     * @param list<string> $words of SET STATEMENT
     */
    private static function isTimed(array $words): bool
    {
        return \array_slice($words, 2, 2) === ['max_statement_time', '=']
            && \array_slice($words, 5, 2) === ['for', 'select'];
    }

    /** @param list<string> $words */
    private static function isTemporary(array $words): bool
    {
        if (!\in_array($words[0] ?? '', ['create', 'drop'], true)) {
            return false;
        }
        $at = \array_slice($words, 1, 2) === ['or', 'replace'] ? 3 : 1;
        $at += \in_array($words[$at] ?? '', ['local', 'global'], true) ? 1 : 0;

        return \in_array($words[$at] ?? '', ['temporary', 'temp'], true)
            && \in_array($words[$at + 1] ?? '', ['table', 'sequence'], true);
    }

    /**
     * @param list<Token> $tokens
     *
     * @return list<Write>|null
     */
    private static function temporary(array $tokens, bool $isKnown): ?array
    {
        $at = array_search(['word', 'table'], $tokens, true);
        $at = ($at === false ? (int) array_search(['word', 'sequence'], $tokens, true) : $at) + 1;
        while (\in_array($tokens[$at] ?? null, [['word', 'if'], ['word', 'not'], ['word', 'exists']], true)) {
            ++$at;
        }
        $at += ($tokens[$at + 1] ?? null) === ['sign', '.'] ? 2 : 0;

        return self::one($tokens, $at, $isKnown);
    }

    /**
     * @param list<Token> $tokens
     *
     * @return string|null its name in lower case; null: it is in another schema, or no name stands there
     */
    public static function table(array $tokens, int $at): ?string
    {
        [$kind, $text] = $tokens[$at] ?? ['', ''];

        return \in_array($kind, ['word', 'quoted'], true) && ($tokens[$at + 1] ?? null) !== ['sign', '.']
            ? $text
            : null;
    }

    /**
     * @param list<Token> $tokens
     *
     * @return list<Write>|null
     */
    private static function one(array $tokens, int $at, bool $isKnown): ?array
    {
        $at += ($tokens[$at] ?? null) === ['word', 'only'] ? 1 : 0;
        $table = self::table($tokens, $at);

        return $table === null ? null : [new Write($table, calls: !$isKnown)];
    }

    /**
     * @param list<Token> $tokens
     * @param list<Write> $only   what the functions write that a query calls
     *
     * @return list<Write>|null
     */
    private static function copied(array $tokens, array $only): ?array
    {
        $words = array_column($tokens, 1);
        if (($words[1] ?? '') === '(') {
            return array_intersect(['insert', 'update', 'delete', 'merge'], $words) === [] ? $only : null;
        }
        $table = self::table($tokens, 1);
        $outer = array_column(self::outer($tokens, 2), 1);

        return match (true) {
            \in_array('program', $words, true), $table === null => null,
            \in_array('to', $outer, true) && !\in_array('from', $outer, true) => [],
            default => [new Write($table, [Write::INSERT])],
        };
    }

    /**
     * @param list<Token> $tokens
     *
     * @return list<Write>|null
     */
    private static function loaded(array $tokens): ?array
    {
        $into = array_search(['word', 'into'], $tokens, true);
        $table = $into !== false && ($tokens[$into + 1] ?? null) === ['word', 'table']
            ? self::table($tokens, $into + 2)
            : null;

        return $table === null ? null : [new Write($table, [Write::INSERT, Write::DELETE], calls: true)];
    }

    /**
     * @param list<Token> $tokens
     *
     * @return list<Write>|null
     */
    private static function truncated(array $tokens): ?array
    {
        $at = ($tokens[1] ?? null) === ['word', 'table'] ? 2 : 1;
        $at += ($tokens[$at] ?? null) === ['word', 'only'] ? 1 : 0;
        $table = self::table($tokens, $at);
        $rest = array_column(\array_slice($tokens, $at + 1), 1);
        $isOne = array_diff($rest, ['restart', 'continue', 'identity', 'restrict', 'wait', 'nowait']) === [];

        return $table !== null && $isOne ? [new Write($table)] : null;
    }

    /**
     * What the common tables of a statement write, and the statement itself.
     *
     * @param list<Token> $tokens
     *
     * @return list<Write>|null
     */
    private static function common(array $tokens, bool $isKnown): ?array
    {
        $writes = $isKnown ? [] : [new Write('', calls: true)];
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
            $written = $at === null ? [] : self::one($tokens, $at, $isKnown);
            if ($written === null) {
                return null;
            }
            $writes = [...$writes, ...$written];
        }

        return $writes;
    }

    /**
     * @param list<Token> $tokens
     * @param list<int>   $ends
     *
     * @return list<Write>|null
     */
    private static function inserted(array $tokens, string $sql, array $ends, Grammar $grammar, bool $isKnown): ?array
    {
        $at = 1;
        while (\in_array($tokens[$at] ?? null, self::modifiers(), true)) {
            ++$at;
        }
        $isModified = $at > 1;
        $at += ($tokens[$at] ?? null) === ['word', 'into'] ? 1 : 0;
        $name = $at;
        $table = self::table($tokens, $at++);
        if ($table === null) {
            return null;
        }
        $outer = self::outer($tokens, $at);
        $words = array_column($outer, 1);
        $replaces = $tokens[0][1] === 'replace';
        $resolves = $replaces || $isModified
            || \in_array('conflict', $words, true)
            || \in_array('duplicate', $words, true);
        $isUpsert = \in_array('update', $words, true);
        $isPlain = !$resolves && $isKnown;

        return [new Write(
            $table,
            [Write::INSERT, ...($isUpsert ? [Write::UPDATE] : []), ...($replaces ? [Write::DELETE] : [])],
            returns: \in_array('returning', $words, true),
            rows: $isPlain ? self::rows($tokens, $name, $sql, $ends, $grammar) : null,
            resolves: $resolves,
            calls: !$isKnown,
        )];
    }

    /**
     * @param list<Token> $tokens
     * @param list<int>   $ends
     */
    private static function rows(array $tokens, int $at, string $sql, array $ends, Grammar $grammar): ?AffectedRows
    {
        $from = self::text($sql, $ends, $at, $at + 1);
        $columns = null;
        ++$at;
        if (($tokens[$at] ?? null) === ['sign', '(']) {
            $columns = [];
            for (++$at; ($tokens[$at] ?? null) !== ['sign', ')']; ++$at) {
                [$kind, $text] = $tokens[$at] ?? ['', ''];
                if (\in_array($kind, ['word', 'quoted'], true)) {
                    $columns[] = $text;
                } elseif ([$kind, $text] !== ['sign', ',']) {
                    return null;
                }
            }
            ++$at;
        }
        if (!\in_array($tokens[$at] ?? null, [['word', 'values'], ['word', 'value']], true)) {
            return null;
        }
        $numbers = self::numbers($tokens, $sql, $ends);
        if ($numbers === null) {
            return null;
        }
        $rows = $row = $names = [];
        $depth = 0;
        $first = ++$at;
        for (;; ++$at) {
            $token = $tokens[$at] ?? ['word', 'returning'];
            $depth -= $token === ['sign', ')'] ? 1 : 0;
            $isEnd = $depth === 0 && $token === ['sign', ')'];
            if ($depth === 1 && $token === ['sign', ','] || $isEnd) {
                $row[] = $at - $first === 1 ? self::constant($tokens[$first], $first, $sql, $ends, $numbers) : null;
                $first = $at + 1;
            }
            if ($isEnd) {
                $rows[] = $row;
                $row = [];
            } elseif ($depth === 0 && $token === ['sign', '(']) {
                $first = $at + 1;
            } elseif ($depth === 0 && $token === ['word', 'returning']) {
                break;
            } elseif ($depth === 0 && $token !== ['sign', ',']) {
                return null;
            }
            $depth += $token === ['sign', '('] ? 1 : 0;
            if (!isset($tokens[$at])) {
                return null;
            }
        }
        foreach ($numbers as [$number, $name]) {
            $names[$number] = $name;
        }
        $lengths = array_unique(array_map(\count(...), $rows));

        return \count($lengths) !== 1 || ($columns !== null && $lengths !== [\count($columns)])
            ? null
            : new AffectedRows('insert', $from, '', $names, \count($rows) === 1, columns: $columns, rows: $rows);
    }

    /**
     * @param Token                                $token
     * @param list<int>                            $ends
     * @param array<int, array{int, string|null}>  $numbers
     *
     * @return string|int|null the text of a constant, the number of a parameter; null: something else
     */
    private static function constant(array $token, int $at, string $sql, array $ends, array $numbers): string|int|null
    {
        return match (true) {
            $token[0] === 'parameter' => $numbers[$at][0] ?? null,
            \in_array($token[0], ['number', 'string'], true),
            $token === ['word', 'null'],
            $token === ['word', 'default']
                => $token[0] === 'word' ? $token[1] : self::text($sql, $ends, $at, $at + 1),
            default => null,
        };
    }

    /**
     * @param list<Token> $tokens
     * @param list<int>   $ends
     *
     * @return list<Write>|null
     */
    private static function updated(array $tokens, string $sql, array $ends, Grammar $grammar, bool $isKnown): ?array
    {
        $at = 1;
        while (\in_array($tokens[$at] ?? null, self::modifiers(), true)) {
            ++$at;
        }
        $isModified = $at > 1;
        if (($tokens[$at] ?? null) === ['word', 'only']) {
            $isModified = true;
            ++$at;
        }
        $outer = self::outer($tokens, $at);
        $set = array_search(['word', 'set'], $outer, true);
        if ($set === false) {
            return null;
        }
        $tables = self::tables($tokens, $at, $set);
        if ($tables === null) {
            return null;
        }
        $words = array_column($outer, 1);
        $columns = \count($tables) === 1 ? self::columns($tokens, $set) : null;
        // What follows them may join other tables, where the first one is another name of one.
        $isPlain = $isKnown && !$isModified && $set === $at + 1
            && array_intersect(['from', 'order', 'limit', 'for'], self::clauses($outer)) === [];
        $rows = $isPlain ? self::found('update', $tokens, $at, $sql, $ends, $grammar) : null;

        return array_map(static fn(string $table): Write => new Write(
            $table,
            [Write::UPDATE],
            $columns,
            \in_array('returning', $words, true),
            $rows,
            $isModified,
            !$isKnown,
        ), $tables);
    }

    /**
     * @param list<Token> $tokens
     * @param list<int>   $ends
     *
     * @return list<Write>|null
     */
    private static function deleted(array $tokens, string $sql, array $ends, Grammar $grammar, bool $isKnown): ?array
    {
        $at = 1;
        while (\in_array($tokens[$at] ?? null, self::modifiers(), true)) {
            ++$at;
        }
        $isPlain = $isKnown && $at === 1 && ($tokens[1] ?? null) === ['word', 'from'];
        $outer = self::outer($tokens, $at);
        $words = self::clauses($outer);
        $from = array_search(['word', 'from'], $outer, true);
        $using = array_search(['word', 'using'], $outer, true);
        $where = array_search(['word', 'where'], $outer, true);
        if ($from === false) {
            return null;
        }
        $end = \count($tokens);
        foreach ($outer as $i => [$kind, $text]) {
            if ($i > $from && $kind === 'word' && \in_array($text, ['where', 'order', 'limit', 'returning'], true)) {
                $end = min($end, $i);
            }
        }
        $isSeveral = $from > $at || ($using !== false && $using < $end);
        $grammarIsMaria = $grammar instanceof MariaDbGrammar;
        if ($isSeveral && !$grammarIsMaria) {
            return self::one($tokens, $from + 1, $isKnown);
        }
        // Of several tables the first names may be other names of those behind FROM or USING.
        $tables = self::tables($tokens, ($isSeveral && $using !== false ? $using : $from) + 1, $end);
        if ($tables === null) {
            return ($tokens[$from + 1] ?? null) === ['word', 'only'] ? self::one($tokens, $from + 1, $isKnown) : null;
        }
        $isPlain = $isPlain && !$isSeveral && $end === $from + 2 && ($where === false || $where === $end)
            && array_intersect(['order', 'limit', 'for'], $words) === [];
        $rows = $isPlain ? self::found('delete', $tokens, $from + 1, $sql, $ends, $grammar) : null;
        $returns = \in_array('returning', $words, true);

        return array_map(
            static fn(string $table): Write => new Write(
                $table,
                [Write::DELETE],
                null,
                $returns,
                $rows,
                $at > 1,
                !$isKnown,
            ),
            $tables,
        );
    }

    /**
     * @param list<Token> $tokens
     *
     * @return list<string>|null the tables of a list, with joins or without; null: not certain
     */
    private static function tables(array $tokens, int $from, int $end): ?array
    {
        $tables = [];
        $expected = true;
        for ($i = $from; $i < $end; ++$i) {
            $token = $tokens[$i];
            if ($expected) {
                $table = self::table($tokens, $i);
                if ($table === null || \in_array($table, ['only', 'lateral'], true)) {
                    return null;
                }
                $tables[] = $table;
                $expected = false;
            } elseif ($token === ['sign', '('] && !\in_array($tokens[$i - 1][1], ['on', 'using', 'and', 'or'], true)) {
                return null;
            } elseif (\in_array($token, [['word', 'select'], ['word', 'partition']], true)) {
                return null;
            } else {
                $isComma = $token === ['sign', ','];
                $expected = $isComma || \in_array($token, [['word', 'join'], ['word', 'straight_join']], true);
            }
        }

        return $expected ? null : $tables;
    }

    /**
     * @param list<Token> $tokens
     * @param int         $at     of the table's name
     * @param list<int>   $ends
     */
    private static function found(
        string $verb,
        array $tokens,
        int $at,
        string $sql,
        array $ends,
        Grammar $grammar,
    ): ?AffectedRows {
        $from = self::text($sql, $ends, $at, $at + 1);
        $outer = self::outer($tokens, $at);
        $where = array_search(['word', 'where'], $outer, true);
        $end = array_search(['word', 'returning'], $outer, true);
        $end = $end === false ? \count($tokens) : $end;
        if ($where === false) {
            return new AffectedRows($verb, $from);
        }
        $numbers = self::numbers($tokens, $sql, $ends);
        if ($numbers === null || !self::isCertain($tokens, $where + 1, $end, $grammar)) {
            return null;
        }
        $condition = '';
        $parameters = $order = $names = [];
        $written = $ends[$where];
        for ($i = $where + 1; $i < $end; ++$i) {
            if ($tokens[$i][0] === 'parameter') {
                [$number, $name] = $numbers[$i];
                $parameters[$number] = $name;
                $order[] = $number;
                $start = $ends[$i] - \strlen($tokens[$i][1]);
                $condition .= substr($sql, $written, $start - $written) . '?';
                $written = $ends[$i];
            } elseif (\in_array($tokens[$i][0], ['word', 'quoted'], true)) {
                $names[$tokens[$i][1]] = $tokens[$i][1];
            }
        }
        $condition .= substr($sql, $written, $ends[$end - 1] - $written);

        return new AffectedRows(
            $verb,
            $from,
            // A comment at its end would take what follows it.
            trim($condition) . "\n",
            $parameters,
            order: $order,
            equal: self::equal($tokens, $where + 1, $end),
            names: array_values($names),
        );
    }

    /**
     * @param list<Token> $tokens
     *
     * @return array{string, string}|null the column that the first condition compares with a constant, if no row can be
     *     found without, and the kind of the constant
     */
    private static function equal(array $tokens, int $from, int $end): ?array
    {
        $at = $from + (($tokens[$from + 1] ?? null) === ['sign', '.'] ? 2 : 0);
        $isName = \in_array($tokens[$at][0] ?? '', ['word', 'quoted'], true);
        $isEqual = ($tokens[$at + 1] ?? null) === ['sign', '=']
            && \in_array($tokens[$at + 2][0] ?? '', ['parameter', 'number', 'string'], true)
            && ($at + 3 === $end || ($tokens[$at + 3] ?? null) === ['word', 'and']);
        for ($i = $at + 3; $i < $end; ++$i) {
            $isEqual = $isEqual && !\in_array($tokens[$i][1], ['or', 'xor', '||', '|', '^'], true);
        }

        return $isName && $isEqual ? [$tokens[$at][1], $tokens[$at + 2][0]] : null;
    }

    /**
     * @param list<Token> $tokens
     * @param list<int>   $ends
     *
     * @return array<int, array{int, string|null}>|null number and name of each parameter, by token; null: not certain
     */
    private static function numbers(array $tokens, string $sql, array $ends): ?array
    {
        $found = $spelt = [];
        $last = 0;
        foreach ($tokens as $i => [$kind, $text]) {
            if ($kind !== 'parameter') {
                continue;
            }
            $exact = substr($sql, $ends[$i] - \strlen($text), \strlen($text));
            if ($text === '?') {
                $found[$i] = [++$last, null];
            } elseif ($text[0] !== ':' || strtolower($exact) !== $text) {
                return null;
            } else {
                $spelt[$text] ??= [++$last, $text, $exact];
                if ($spelt[$text][2] !== $exact) {
                    return null;
                }
                $found[$i] = [$spelt[$text][0], $text];
            }
        }

        return $found;
    }

    /**
     * @param list<Token> $tokens
     *
     * @return list<string>|null the columns that a SET clause sets; null: any
     */
    private static function columns(array $tokens, int $set): ?array
    {
        $columns = [];
        $expected = true;
        foreach (self::outer($tokens, $set + 1) as $i => [$kind, $text]) {
            if ($kind === 'word' && \in_array($text, ['where', 'from', 'returning', 'order', 'limit'], true)
                && ($tokens[$i - 1][1] ?? '') !== 'distinct') {
                break;
            }
            if ($expected) {
                if (!\in_array($kind, ['word', 'quoted'], true)) {
                    return null;
                }
                $isQualified = ($tokens[$i + 1] ?? null) === ['sign', '.'];
                $columns[] = $isQualified ? $tokens[$i + 2][1] ?? '' : $text;
                $expected = false;
            }
            $expected = [$kind, $text] === ['sign', ','];
        }

        return $columns;
    }

    /**
     * Whether nothing that the statement calls can write.
     *
     * @param list<Token> $tokens
     * @param list<int>   $ends
     */
    private static function isKnown(array $tokens, array $ends, Grammar $grammar): bool
    {
        $into = array_search(['word', 'into'], $tokens, true);
        foreach ($tokens as $i => [$kind, $text]) {
            if ($kind === 'sign' && $text === ':=') {
                return false;
            }
            if (($tokens[$i + 1] ?? null) !== ['sign', '('] || !\in_array($kind, ['word', 'quoted'], true)) {
                continue;
            }
            $before = $tokens[$i - 1][1] ?? '';
            $isName = $into !== false && $i === $into + 1
                || ($i === 1 && \in_array($tokens[0][1], ['insert', 'replace', 'copy'], true))
                || \in_array($before, ['as', 'with', 'recursive', 'table', 'exists'], true);
            $isOperator = $kind === 'word' && \in_array($text, self::OPERATORS, true);
            $isHarmless = $kind === 'word' && $before !== '.' && $grammar->isHarmless($text)
                && !$grammar->mayWrite($text, $ends[$i] + 1 === $ends[$i + 1]);
            if (!$isName && !$isOperator && !$isHarmless) {
                return false;
            }
        }

        return true;
    }

    /**
     * Whether a condition finds the same rows in a SELECT.
     *
     * @param list<Token> $tokens
     */
    private static function isCertain(array $tokens, int $from, int $end, Grammar $grammar): bool
    {
        for ($i = $from; $i < $end; ++$i) {
            [$kind, $text] = $tokens[$i];
            $isCall = ($tokens[$i + 1] ?? null) === ['sign', '('] && \in_array($kind, ['word', 'quoted'], true);
            $isOperator = $kind === 'word' && \in_array($text, self::OPERATORS, true);
            $isUncertain = $kind === 'word' && \in_array($text, self::UNCERTAIN, true)
                && !($text === 'from' && ($tokens[$i - 1][1] ?? '') === 'distinct');
            $isOther = !\in_array($kind, ['word', 'quoted', 'string', 'number', 'parameter', 'sign'], true)
                || ($kind === 'sign' && str_contains($text, '@'))
                || str_starts_with($text, '@');
            $isPure = !$isCall || $isOperator
                || ($kind === 'word' && ($tokens[$i - 1][1] ?? '') !== '.' && $grammar->isPure($text));
            if ($isUncertain || $isOther || !$isPure) {
                return false;
            }
        }

        return true;
    }

    /**
     * @param list<Token> $tokens
     *
     * @return array<int, Token> the tokens from there on that stand in no parentheses, and what opens and closes them
     */
    private static function outer(array $tokens, int $from): array
    {
        $outer = [];
        $depth = 0;
        for ($i = $from; isset($tokens[$i]); ++$i) {
            $depth -= $tokens[$i] === ['sign', ')'] ? 1 : 0;
            if ($depth === 0) {
                $outer[$i] = $tokens[$i];
            }
            $depth += $tokens[$i] === ['sign', '('] ? 1 : 0;
        }

        return $outer;
    }

    /**
     * @param array<int, Token> $outer
     *
     * @return list<string> its words, without the FROM of IS DISTINCT FROM
     */
    private static function clauses(array $outer): array
    {
        $words = [];
        foreach ($outer as $i => [$kind, $text]) {
            if ($kind === 'word' && !($text === 'from' && ($outer[$i - 1][1] ?? '') === 'distinct')) {
                $words[] = $text;
            }
        }

        return $words;
    }

    /** @return list<Token> */
    private static function modifiers(): array
    {
        return array_map(static fn(string $word): array => ['word', $word], self::MODIFIERS);
    }

    /** @param list<int> $ends */
    private static function text(string $sql, array $ends, int $from, int $end): string
    {
        $start = $ends[$from - 1] ?? 0;

        return trim(substr($sql, $start, $ends[$end - 1] - $start));
    }
}
