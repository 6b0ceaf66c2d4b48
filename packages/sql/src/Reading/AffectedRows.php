<?php

declare(strict_types=1);

namespace Larder\Sql\Reading;

/**
 * @internal Which rows of its table a statement affects, where its text says so for certain: those that fulfil its
 * condition, or those that it inserts. A statement that this class does not know by its whole shape has none.
 *
 * The condition is that of the statement, word for word, so that a SELECT with it finds the rows that the statement is
 * going to find. It may call nothing but functions whose result depends on their arguments alone.
 *
 * @phpstan-type Token array{string, string}
 */
final readonly class AffectedRows
{
    /** Functions of their arguments alone. */
    private const PURE = [
        'abs', 'cast', 'char', 'coalesce', 'glob', 'hex', 'ifnull', 'iif', 'instr', 'json', 'json_extract', 'length',
        'like', 'likely', 'lower', 'ltrim', 'max', 'min', 'nullif', 'printf', 'quote', 'replace', 'round', 'rtrim',
        'sign', 'substr', 'substring', 'trim', 'typeof', 'unicode', 'unlikely', 'upper',
    ];

    /** What may be called beside them where the result is looked at afterwards: it changes no row by itself. */
    private const HARMLESS = [
        'avg', 'count', 'date', 'datetime', 'group_concat', 'json_array', 'json_group_array', 'json_group_object',
        'json_insert', 'json_object', 'json_patch', 'json_remove', 'json_replace', 'json_set', 'julianday',
        'last_insert_rowid', 'random', 'randomblob', 'strftime', 'sum', 'time', 'total', 'unixepoch', 'zeroblob',
    ];

    /** Words that a parenthesis may follow, which then calls nothing. */
    private const OPERATORS = [
        'all', 'and', 'as', 'between', 'by', 'case', 'distinct', 'else', 'escape', 'except', 'exists', 'from', 'glob',
        'having', 'in', 'intersect', 'is', 'join', 'like', 'limit', 'not', 'null', 'offset', 'on', 'or', 'returning',
        'select', 'set', 'then', 'union', 'using', 'values', 'when', 'where',
    ];

    /** Words with which a condition reads more than the row that it is about. */
    private const UNCERTAIN = [
        'current_date', 'current_time', 'current_timestamp', 'exists', 'filter', 'group', 'having', 'join', 'limit',
        'match', 'offset', 'order', 'over', 'raise', 'regexp', 'select', 'set', 'union', 'using', 'values', 'where',
        'window', 'with',
    ];

    private const IGNORES = ['on', 'conflict', 'do', 'nothing'];

    private const UPSERTS = ['on', 'conflict', 'do', 'update', 'set'];

    private const CONSTANTS = ['false', 'null', 'true'];

    private const ACTIONS = ['abort', 'fail', 'ignore', 'rollback'];

    /**
     * @param string                  $verb       `insert`, `update` or `delete`
     * @param string                  $from       the table as SQL names it
     * @param string                  $condition  with parameters by number; '': all rows
     * @param array<int, string|null> $parameters the name of each parameter in the condition, by number
     * @param bool                    $isOne      whether it inserts one row at most
     * @param array<string, string>   $values     of an INSERT that changes rows in its way: its values by column, which
     *     have the same parameters
     * @param list<int>               $order      where parameters have no number in SQL: the numbers of those of the
     *     condition, in their order
     * @param array{string, string}|null $equal   the column that the condition first compares with a constant, if no
     *     row is found without, and the kind of the constant
     * @param list<string>            $names      all names in the condition
     * @param list<string>|null       $columns    of an INSERT; null: all of the table
     * @param list<list<string|int|null>> $rows   of an INSERT: of each value the text, or the number of its parameter;
     *     null: it is no constant
     * @param Conflict                $conflict   what an INSERT does about rows in its way, if that is known
     */
    public function __construct(
        public string $verb,
        public string $from,
        public string $condition = '',
        public array $parameters = [],
        public bool $isOne = false,
        public array $values = [],
        public array $order = [],
        public ?array $equal = null,
        public array $names = [],
        public ?array $columns = null,
        public array $rows = [],
        public Conflict $conflict = new Conflict(),
    ) {}

    /**
     * @param list<Token> $tokens of one statement
     * @param string      $sql    its text
     * @param list<int>   $ends   the offset in it behind each token
     */
    public static function of(array $tokens, string $sql, array $ends): ?self
    {
        $verb = $tokens[0][1] ?? '';
        $action = ($tokens[1] ?? null) === ['word', 'or'] ? $tokens[2][1] ?? '' : null;
        $at = $action === null ? 1 : 3;
        $replaces = $verb === 'replace' || ($verb === 'insert' && $action === 'replace');
        if ($action !== null && !$replaces && !\in_array($action, self::ACTIONS, true)) {
            return null;
        }
        $between = ['insert' => 'into', 'replace' => 'into', 'delete' => 'from', 'update' => null];
        $word = \array_key_exists($verb, $between) ? $between[$verb] : '';
        if ($word !== null && ($tokens[$at++] ?? null) !== ['word', $word]) {
            return null;
        }
        $isMain = ($tokens[$at][1] ?? '') === 'main' && ($tokens[$at + 1] ?? null) === ['sign', '.'];
        [$kind, $name] = $tokens[$at += $isMain ? 2 : 0] ?? ['', ''];
        if (!\in_array($kind, ['word', 'quoted'], true) || preg_match('/^[a-z_][a-z0-9_]*$/D', $name) !== 1) {
            return null;
        }
        $from = ($isMain ? 'main.' : '') . '"' . $name . '"';

        return $between[$verb] === 'into'
            ? self::inserted($tokens, $at + 1, $from, $replaces, $sql, $ends)
            : self::found($tokens, $at + 1, $verb, $from, $sql, $ends);
    }

    /**
     * @param list<Token> $tokens
     * @param list<int>   $ends
     */
    private static function inserted(
        array $tokens,
        int $at,
        string $from,
        bool $replaces,
        string $sql,
        array $ends,
    ): ?self {
        $columns = [];
        if (($tokens[$at] ?? null) === ['sign', '(']) {
            $close = array_search(['sign', ')'], $tokens, true);
            $close = \is_int($close) ? $close : \count($tokens);
            $list = array_column(\array_slice($tokens, $at + 1, $close - $at - 1), 1);
            $columns = array_values(array_diff($list, [',']));
            $at = $close + 1;
        }
        $outer = self::outer($tokens, $at) ?? [];
        $end = array_search(['word', 'returning'], $outer, true);
        $end = $end === false ? \count($tokens) : $end;
        $conflict = array_search(['word', 'on'], $outer, true);
        $values = $conflict === false ? $end : $conflict;
        $before = static fn(int $limit): array => array_column(array_filter(
            $outer,
            static fn(int $i): bool => $i < $limit,
            ARRAY_FILTER_USE_KEY,
        ), 1);
        $words = $before($values);
        $clause = array_values(array_diff(\array_slice($before($end), \count($words)), ['(', ')']));
        $set = array_search(['word', 'set'], $outer, true);
        $isUpsert = \array_slice($clause, 0, 5) === self::UPSERTS && $set !== false;
        $isHarmless = self::isHarmless($tokens, $at, $values)
            && self::isHarmless($tokens, $isUpsert ? $set : $end, \count($tokens));
        if (!$isHarmless || (!$isUpsert && !\in_array($clause, [[], self::IGNORES], true))) {
            return null;
        }
        $isDefault = $words === ['default', 'values'];
        if (!$isDefault && (($words[0] ?? '') !== 'values' || array_diff($words, ['values', '(', ')', ',']) !== [])) {
            return null;
        }

        $isOne = !\in_array(',', $words, true);
        if (!$replaces && !$isUpsert) {
            return new self('insert', $from, isOne: $isOne);
        }
        $parameters = [];
        $texts = $isOne && !$isDefault ? self::values($tokens, $at + 2, $values - 1, $sql, $ends, $parameters) : [];

        return $texts === [] || \count($texts) !== \count($columns)
            ? null
            : new self(
                'insert',
                $from,
                '',
                $parameters,
                true,
                array_combine($columns, $texts),
                conflict: new Conflict($replaces ? Conflict::REPLACE : Conflict::UPDATE),
            );
    }

    /**
     * @param list<Token>             $tokens
     * @param list<int>               $ends
     * @param array<int, string|null> $used gets the name of each parameter, by number
     *
     * @return list<string> the text of each value in a row; none if one is more than constants and pure functions
     */
    private static function values(
        array $tokens,
        int $from,
        int $end,
        string $sql,
        array $ends,
        array &$used,
    ): array {
        $values = [];
        $depth = 0;
        for ($i = $first = $from; $i <= $end; ++$i) {
            [$kind, $text] = $tokens[$i];
            if ($depth === 0 && ($i === $end || $tokens[$i] === ['sign', ','])) {
                $value = $i > $first ? self::condition($tokens, $first, $i, $sql, $ends, $used) : null;
                if ($value === null) {
                    return [];
                }
                $values[] = $value;
                $first = $i + 1;
            }
            $depth += $tokens[$i] === ['sign', '('] ? 1 : 0;
            $depth -= $tokens[$i] === ['sign', ')'] ? 1 : 0;
            $isConstant = $kind === 'word'
                ? \in_array($text, self::CONSTANTS, true)
                    || (self::isCall($tokens, $i) && \in_array($text, self::PURE, true))
                : $kind !== 'quoted';
            if ($i < $end && !$isConstant) {
                return [];
            }
        }

        return $values;
    }

    /**
     * @param list<Token> $tokens
     * @param list<int>   $ends
     */
    private static function found(
        array $tokens,
        int $at,
        string $verb,
        string $from,
        string $sql,
        array $ends,
    ): ?self {
        $outer = self::outer($tokens, $at);
        $isUpdate = $verb === 'update';
        if ($outer === null || ($isUpdate && ($tokens[$at] ?? null) !== ['word', 'set'])) {
            return null;
        }
        $where = array_search(['word', 'where'], $outer, true);
        $end = array_search(['word', 'returning'], $outer, true);
        $end = $end === false ? \count($tokens) : $end;
        // Behind a table's name only these: no other name of it, no index, no second table, no LIMIT.
        foreach ($outer as $i => [$kind, $text]) {
            $isOther = \in_array($text, ['from', 'order', 'limit'], true) && ($tokens[$i - 1][1] ?? '') !== 'distinct';
            if ($i < $end && $kind === 'word' && $isOther) {
                return null;
            }
        }
        $isBehind = $isUpdate || ($where === false ? $end : $where) === $at;
        if (!$isBehind || !self::isHarmless($tokens, $at, \count($tokens))) {
            return null;
        }
        if ($where === false) {
            return new self($verb, $from);
        }
        $parameters = [];
        $condition = self::isCertain($tokens, $where + 1, $end)
            ? self::condition($tokens, $where + 1, $end, $sql, $ends, $parameters)
            : null;

        return $condition === null ? null : new self($verb, $from, $condition, $parameters);
    }

    /**
     * @param list<Token> $tokens
     *
     * @return array<int, Token>|null the tokens from there on that stand in no parentheses, and what opens and closes
     *     them; null: it opens what it does not close
     */
    private static function outer(array $tokens, int $from): ?array
    {
        $outer = [];
        $depth = 0;
        for ($i = $from; isset($tokens[$i]); ++$i) {
            $depth -= $tokens[$i] === ['sign', ')'] ? 1 : 0;
            if ($depth === 0) {
                $outer[$i] = $tokens[$i];
            }
            $depth += $tokens[$i] === ['sign', '('] ? 1 : 0;
            if ($depth < 0 || $tokens[$i] === ['sign', ';']) {
                return null;
            }
        }

        return $depth === 0 ? $outer : null;
    }

    /**
     * Whether nothing that the statement calls can write, or wants to know what was written last.
     *
     * @param list<Token> $tokens
     */
    private static function isHarmless(array $tokens, int $from, int $end): bool
    {
        for ($i = $from; $i < $end; ++$i) {
            [$kind, $text] = $tokens[$i];
            $isKnown = !self::isCall($tokens, $i)
                || \in_array($text, self::PURE, true)
                || \in_array($text, self::HARMLESS, true)
                || ($kind === 'word' && \in_array($text, self::OPERATORS, true));
            if (!$isKnown || ($kind === 'word' && $text === 'with')) {
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
    private static function isCertain(array $tokens, int $from, int $end): bool
    {
        for ($i = $from; $i < $end; ++$i) {
            [$kind, $text] = $tokens[$i];
            $isCall = self::isCall($tokens, $i);
            $isPure = !$isCall
                || \in_array($text, self::PURE, true)
                || ($kind === 'word' && \in_array($text, self::OPERATORS, true));
            $isUncertain = $kind === 'word' && (
                \in_array($text, self::UNCERTAIN, true)
                || ($text === 'in' && !$isCall)
                || ($text === 'from' && ($tokens[$i - 1][1] ?? '') !== 'distinct')
            );
            if ($isUncertain || !$isPure) {
                return false;
            }
        }

        return true;
    }

    /** @param list<Token> $tokens */
    private static function isCall(array $tokens, int $at): bool
    {
        return ($tokens[$at + 1] ?? null) === ['sign', '('] && \in_array($tokens[$at][0], ['word', 'quoted'], true);
    }

    /**
     * @param list<Token>             $tokens
     * @param list<int>               $ends
     * @param array<int, string|null> $used   gets the name of each parameter, by number
     *
     * @return string|null its text, each parameter by the number that the database gives it; null: it is not certain
     */
    private static function condition(
        array $tokens,
        int $from,
        int $end,
        string $sql,
        array $ends,
        array &$used,
    ): ?string {
        $condition = '';
        $written = $ends[$from - 1];
        $spelt = $numbers = [];
        $most = 0;
        foreach ($tokens as $i => [$kind, $text]) {
            if ($kind !== 'parameter') {
                continue;
            }
            $name = $text[0] === '?' ? null : $text;
            $exact = substr($sql, $ends[$i] - \strlen($text), \strlen($text));
            if ($name !== null && ($spelt[$name] ??= $exact) !== $exact) {
                // Two parameters to the database, one to those who bind a value.
                return null;
            }
            $number = match (true) {
                $name !== null => $numbers[$name] ??= $most + 1,
                $text === '?' => $most + 1,
                default => (int) substr($text, 1),
            };
            $most = max($most, $number);
            if ($number < 1) {
                return null;
            }
            if ($i >= $from && $i < $end) {
                $condition .= substr($sql, $written, $ends[$i] - \strlen($text) - $written) . '?' . $number;
                $written = $ends[$i];
                $used[$number] = $name;
            }
        }

        return $condition . substr($sql, $written, $ends[$end - 1] - $written);
    }
}
