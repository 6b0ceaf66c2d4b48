<?php

declare(strict_types=1);

namespace Larder\Dependency\Sql;

/**
 * @internal Reads SELECT, VALUES and WITH as the database does, or not at all.
 *
 * It looks for what narrows a read: equalities that hold for all that a SELECT finds. All other expressions are read
 * to know where they end and which tables they read.
 *
 * @phpstan-import-type Token from \Larder\Dependency\Tracker\Write
 *
 * @see https://sqlite.org/lang_expr.html#operators_and_parse_affecting_attributes
 */
final class Parser
{
    /** Of a list behind IN: a name each. */
    public const MOST_NAMES = 32;

    /** Parentheses within one another. */
    private const DEEPEST = 64;

    /** As SQLite's own limit. */
    private const MOST_SOURCES = 64;

    /** That AND joins. */
    private const MOST_EQUALITIES = 256;

    /** How tightly operators bind. */
    private const ANY = 1;
    private const CONJUNCTION = 2;
    private const NEGATION = 3;

    /** What may stand behind NOT, and has an operand. */
    private const NEGATED = ['in', 'like', 'glob', 'regexp', 'match', 'between', 'rlike', 'ilike', 'similar'];

    /** Between SELECT and its columns, where they are no names; they do not change which rows are found. */
    private const OPTIONS = [
        'distinctrow' => 1, 'high_priority' => 1, 'sql_big_result' => 1, 'sql_buffer_result' => 1, 'sql_cache' => 1,
        'sql_calc_found_rows' => 1, 'sql_no_cache' => 1, 'sql_small_result' => 1, 'straight_join' => 1,
        '/*! straight_join */' => 1,
    ];

    /** What a further source of a FROM clause begins with. */
    private const JOINS = [
        ',' => 1, 'natural' => 1, 'left' => 1, 'right' => 1, 'full' => 1, 'inner' => 1, 'cross' => 1, 'join' => 1,
        'straight_join' => 1,
    ];

    /** Words of a query that stand in no argument of a function. */
    private const ENDS_ARGUMENTS = ['select', 'union', 'except', 'intersect', 'join', 'where', 'table', 'with'];

    private int $depth = 0;

    /** @var list<Select> */
    private array $selects = [];

    /** @var list<string> */
    private array $whole = [];

    /** @var list<string> */
    private array $common = [];

    private function __construct(
        private readonly Tokens $tokens,
        private readonly Grammar $grammar,
    ) {}

    /**
     * @param list<Token> $tokens in lower case
     * @param list<int>   $ends   offset behind each token
     *
     * @return Query|null null: not understood
     */
    public static function parse(string $sql, array $tokens, array $ends, Grammar $grammar): ?Query
    {
        try {
            $parser = new self(new Tokens($tokens, $sql, $ends, $grammar), $grammar);
            $parser->commonTables();
            $parser->query();
            $parser->tokens->must($parser->tokens->kind() === '');
        } catch (NotUnderstood) {
            return null;
        }

        return new Query($parser->selects, $parser->whole, $parser->common);
    }

    private function commonTables(): void
    {
        if (!$this->tokens->take('with')) {
            return;
        }
        $this->tokens->take('recursive');
        do {
            $this->common[] = $this->tokens->source();
            if ($this->tokens->take('(')) {
                $this->names();
            }
            $this->tokens->expect('as');
            $isNot = $this->tokens->take('not');
            $this->tokens->must($this->tokens->take('materialized') || !$isNot);
            $this->tokens->expect('(');
            $this->query();
            $this->tokens->expect(')');
        } while ($this->tokens->take(','));
    }

    private function query(): void
    {
        $this->tokens->must(++$this->depth <= self::DEEPEST);
        do {
            if ($this->tokens->take('values')) {
                $this->rows();
            } elseif ($this->tokens->take('(')) {
                $this->query();
                $this->tokens->expect(')');
            } else {
                $this->select();
            }
        } while (!$this->tokens->isEnd() && $this->isCompound());
        if ($this->tokens->isEnd()) {
            --$this->depth;

            return;
        }
        if ($this->tokens->take('order')) {
            $this->tokens->expect('by');
            $this->order();
        }
        $this->limit();
        --$this->depth;
    }

    /** LIMIT, OFFSET and FETCH in any order. */
    private function limit(): void
    {
        while (true) {
            if ($this->tokens->take('limit')) {
                if (!$this->tokens->take('all')) {
                    $this->expression();
                }
                if ($this->tokens->take(',')) {
                    $this->expression();
                }
            } elseif ($this->tokens->take('offset')) {
                $this->expression();
                if (!$this->tokens->take('rows')) {
                    $this->tokens->take('row');
                }
            } elseif ($this->tokens->take('fetch')) {
                $this->tokens->must($this->tokens->take('first') || $this->tokens->take('next'));
                if (!$this->tokens->is('row') && !$this->tokens->is('rows')) {
                    $this->expression();
                }
                $this->tokens->must($this->tokens->take('rows') || $this->tokens->take('row'));
                if (!$this->tokens->take('only')) {
                    $this->tokens->expect('with');
                    $this->tokens->expect('ties');
                }
            } else {
                return;
            }
        }
    }

    private function isCompound(): bool
    {
        $isCompound = $this->tokens->take('union') || $this->tokens->take('except')
            || $this->tokens->take('intersect');
        if ($isCompound && !$this->tokens->take('all')) {
            $this->tokens->take('distinct');
        }

        return $isCompound;
    }

    private function rows(): void
    {
        do {
            $this->tokens->expect('(');
            $this->expressions();
        } while ($this->tokens->take(','));
    }

    private function select(): void
    {
        $this->tokens->expect('select');
        $this->options();
        if (!$this->tokens->take('distinct')) {
            $this->tokens->take('all');
        } elseif ($this->tokens->take('on')) {
            $this->tokens->expect('(');
            $this->expressions();
        }
        $this->options();
        do {
            $this->column();
        } while ($this->tokens->take(','));
        [$sources, $equalities] = $this->tokens->take('from') ? $this->sources() : [[], []];
        if ($this->tokens->take('where')) {
            $equalities = [...$equalities, ...$this->equalities()];
        }
        if (!$this->tokens->isEnd() && $this->tokens->take('group')) {
            $this->tokens->expect('by');
            $this->order();
            if ($this->tokens->take('with')) {
                $this->tokens->expect('rollup');
            }
        }
        if ($this->tokens->take('having')) {
            $this->expression();
        }
        $this->selects[] = new Select($sources, $equalities);
    }

    private function options(): void
    {
        while (isset(self::OPTIONS[$this->tokens->key()]) && !$this->tokens->isName()) {
            $this->tokens->skip();
        }
    }

    /** One of the result. */
    private function column(): void
    {
        $next = $this->tokens->key(1);
        // Most are a name, or all.
        if ((($next === ',' || $next === 'from') && $this->tokens->isName()) || $this->tokens->is('*')) {
            $this->tokens->skip();

            return;
        }
        if ($next === '.' && $this->tokens->key(2) === '*' && $this->tokens->isName()) {
            $this->tokens->skip(3);

            return;
        }
        $this->expression();
        if ($this->tokens->take('as')) {
            $this->tokens->must($this->tokens->isName() || $this->tokens->kind() === 'string');
        }
        if ($this->tokens->isName() || $this->tokens->kind() === 'string') {
            $this->tokens->skip();
        }
    }

    /** @return array{list<Source>, list<Equality>} with the equalities of inner joins */
    private function sources(): array
    {
        $sources = [$this->source()];
        $equalities = [];
        $keepsBoth = false;
        $first = 0;
        while (true) {
            $isComma = $this->tokens->is(',');
            $join = isset(self::JOINS[$this->tokens->key()]) ? $this->join() : null;
            if ($join === null) {
                break;
            }
            $this->tokens->must(\count($sources) < self::MOST_SOURCES);
            $first = $isComma && !$this->grammar->seesAllBefore() ? \count($sources) : $first;
            $source = $this->source();
            $matches = [];
            if ($this->tokens->take('on')) {
                foreach ($this->equalities() as $equality) {
                    $matches[] = new Equality($equality->column, $equality->to, \count($sources) + 1, $first);
                }
            } elseif ($this->tokens->take('using')) {
                $this->tokens->expect('(');
                $this->names();
            }
            $keepsBoth = $keepsBoth || !\in_array($join, ['inner', 'left'], true);
            if ($join === 'inner') {
                $equalities = [...$equalities, ...$matches];
            }
            $sources[] = new Source($source->table, $source->name, $join === 'left' ? $matches : []);
        }
        if (!$keepsBoth) {
            return [$sources, $equalities];
        }
        // A RIGHT or FULL JOIN keeps rows that the joins before it do not match. Here only WHERE narrows.
        $bare = static fn(Source $source): Source => new Source($source->table, $source->name);

        return [array_map($bare, $sources), []];
    }

    /** @return string|null what stands before JOIN: `inner` also for none and for a comma; null: no join follows */
    private function join(): ?string
    {
        if ($this->tokens->take(',')) {
            return 'inner';
        }
        $isNatural = $this->tokens->take('natural');
        foreach (['left', 'right', 'full', 'inner', 'cross'] as $kind) {
            if ($this->tokens->take($kind)) {
                if ($kind === 'inner' || $kind === 'cross') {
                    $kind = 'inner';
                } else {
                    $this->tokens->take('outer');
                }
                $this->tokens->expect('join');

                return $kind;
            }
        }
        $isJoin = $this->tokens->take('join')
            || ($this->tokens->isReserved('straight_join') && $this->tokens->take('straight_join'));
        $this->tokens->must($isJoin || !$isNatural);

        return $isJoin ? 'inner' : null;
    }

    private function source(): Source
    {
        if (!$this->tokens->isName()) {
            foreach (['lateral', 'only'] as $word) {
                if ($this->tokens->isReserved($word)) {
                    $this->tokens->skip();
                }
            }
            if ($this->tokens->take('(')) {
                $this->query();
                $this->tokens->expect(')');

                return new Source(null, $this->alias() ?? '');
            }
            if ($this->tokens->isReserved('dual')) {
                $this->tokens->skip();

                return new Source(null, 'dual');
            }
        }
        $table = $this->table();
        if ($this->tokens->take('(')) {
            $this->tokens->must($this->grammar->isTableFunction($table));
            $this->grammar->hasTablesBehindIn() ? $this->expressions() : $this->skipped();
            if ($this->tokens->take('with')) {
                $this->tokens->expect('ordinality');
            }

            return new Source(null, $this->alias() ?? $table);
        }
        if ($this->tokens->isReserved('partition')) {
            $this->tokens->skip();
            $this->tokens->expect('(');
            $this->names();
        }
        $source = new Source($table, $this->alias() ?? $table);
        while (\in_array($this->tokens->key(), ['use', 'ignore', 'force'], true) && !$this->tokens->isName()) {
            $this->hint();
        }

        return $source;
    }

    /** A table's name, and the schema before it. */
    private function table(): string
    {
        if ($this->tokens->key(1) === '.') {
            $this->tokens->must($this->grammar->isOwnSchema($this->tokens->name()));
            $this->tokens->skip();
        }

        return $this->tokens->source();
    }

    /** Which indexes MariaDB may use. */
    private function hint(): void
    {
        $this->tokens->skip();
        $this->tokens->must($this->tokens->take('index') || $this->tokens->take('key'));
        if ($this->tokens->take('for') && !$this->tokens->take('join')) {
            $this->tokens->must($this->tokens->take('order') || $this->tokens->take('group'));
            $this->tokens->expect('by');
        }
        $this->tokens->expect('(');
        $this->skipped();
    }

    private function alias(): ?string
    {
        return $this->tokens->take('as') || $this->tokens->isName() ? $this->tokens->source() : null;
    }

    /** Names up to a closing parenthesis. */
    private function names(): void
    {
        do {
            $this->tokens->name();
        } while ($this->tokens->take(','));
        $this->tokens->expect(')');
    }

    private function order(): void
    {
        do {
            $this->expression();
            if (!$this->tokens->take('asc')) {
                $this->tokens->take('desc');
            }
            if ($this->tokens->take('nulls')) {
                $this->tokens->must($this->tokens->take('first') || $this->tokens->take('last'));
            }
        } while ($this->tokens->take(','));
    }

    /** @return list<Equality> */
    private function equalities(): array
    {
        $condition = $this->expression();

        return $condition instanceof Conditions ? $condition->equalities : [];
    }

    /** @return non-empty-list<Column|Constant|Conditions|null> */
    private function listed(): array
    {
        $listed = [];
        do {
            $listed[] = $this->expression();
        } while ($this->tokens->take(','));

        return $listed;
    }

    /** @return list<Column|Constant|Conditions|null> up to a closing parenthesis */
    private function expressions(): array
    {
        $listed = $this->tokens->is(')') ? [] : $this->listed();
        $this->tokens->expect(')');

        return $listed;
    }

    /** @return Column|Constant|Conditions|null null: any other expression */
    private function expression(int $least = self::ANY): Column|Constant|Conditions|null
    {
        $this->tokens->must(++$this->depth <= self::DEEPEST);
        $left = $this->operand($least);
        while (!$this->tokens->isEnd() && ($tightness = $this->grammar->tightness($this->tokens->key())) >= $least
            && $tightness > 0) {
            $left = $this->applied($tightness, $left);
        }
        --$this->depth;

        return $left;
    }

    /** @param int $tightness of the operator that is next */
    private function applied(
        int $tightness,
        Column|Constant|Conditions|null $left,
    ): ?Conditions {
        $operator = $this->tokens->key();
        $this->tokens->skip();
        switch ($operator) {
            case 'and':
                return $this->both($left, $this->expression(self::CONJUNCTION + 1));
            case '&&':
                if ($tightness === self::CONJUNCTION) {
                    return $this->both($left, $this->expression(self::CONJUNCTION + 1));
                }
                $this->expression($tightness + 1);

                return null;
            case '=':
            case '==':
                return self::equal($left, $this->expression($tightness + 1));
            case 'in':
                return $this->among($left);
            case 'isnull':
            case 'notnull':
                return null;
            case 'collate':
                $this->name();

                return null;
            case '::':
                $this->type();

                return null;
            case '[':
                $this->skipped(']');

                return null;
            case 'at':
                $this->tokens->expect('time');
                $this->tokens->expect('zone');
                $this->expression($tightness + 1);

                return null;
            case 'is':
                $this->tokens->take('not');
                if ($this->tokens->take('distinct')) {
                    $this->tokens->expect('from');
                }
                $this->expression($tightness + 1);

                return null;
            case 'not':
                if ($this->tokens->take('null')) {
                    return null;
                }
                $this->tokens->must(\in_array($this->tokens->key(), self::NEGATED, true));
                $negated = $this->grammar->tightness($this->tokens->key());
                $this->tokens->must($negated > 0);
                $this->applied($negated, null);

                return null;
            case 'between':
                if (!$this->tokens->take('symmetric')) {
                    $this->tokens->take('asymmetric');
                }
                $this->expression($tightness + 1);
                $this->tokens->expect('and');
                $this->expression($tightness + 1);

                return null;
            case 'sounds':
                $this->tokens->expect('like');
                $this->expression($tightness + 1);

                return null;
            default:
                if ($operator === 'similar') {
                    $this->tokens->expect('to');
                }
                $this->expression($tightness + 1);
                if ($tightness >= self::NEGATION && $this->tokens->take('escape')) {
                    $this->expression($tightness + 1);
                }

                return null;
        }
    }

    private function both(
        Column|Constant|Conditions|null $left,
        Column|Constant|Conditions|null $right,
    ): Conditions {
        $equalities = [
            ...($left instanceof Conditions ? $left->equalities : []),
            ...($right instanceof Conditions ? $right->equalities : []),
        ];
        $this->tokens->must(\count($equalities) <= self::MOST_EQUALITIES);

        return new Conditions($equalities);
    }

    private static function equal(
        Column|Constant|Conditions|null $left,
        Column|Constant|Conditions|null $right,
    ): ?Conditions {
        if ($left instanceof Constant) {
            [$left, $right] = [$right, $left];
        }
        if (!$left instanceof Column || (!$right instanceof Column && !$right instanceof Constant)) {
            return null;
        }

        return new Conditions([new Equality($left, $right instanceof Column ? $right : [$right])]);
    }

    private function among(Column|Constant|Conditions|null $left): ?Conditions
    {
        if (!$this->tokens->take('(')) {
            $this->tokens->must($this->grammar->hasTablesBehindIn());
            $table = $this->table();
            $this->tokens->must(!$this->tokens->is('('));
            $this->whole[] = $table;

            return null;
        }
        if ($this->tokens->isQuery()) {
            $this->query();
            $this->tokens->expect(')');

            return null;
        }
        $listed = $this->expressions();
        $constants = array_values(array_filter($listed, static fn(mixed $one): bool => $one instanceof Constant));
        $isNarrow = $constants !== [] && \count($constants) === \count($listed)
            && \count($constants) <= self::MOST_NAMES;

        return $left instanceof Column && $isNarrow ? new Conditions([new Equality($left, $constants)]) : null;
    }

    /** What stands before the first operator. */
    private function operand(int $least): Column|Constant|Conditions|null
    {
        switch ($this->tokens->kind()) {
            case 'number':
                return $this->tokens->number();
            case 'string':
                return $this->tokens->string();
            case 'parameter':
                return $this->tokens->parameter();
            case 'sign':
                return $this->signed();
            default:
                if ($this->tokens->take('not')) {
                    $this->tokens->must($least <= self::NEGATION);
                    $this->expression(self::NEGATION);

                    return null;
                }

                return $this->named();
        }
    }

    /** An operand that begins with a sign. */
    private function signed(): Column|Constant|Conditions|null
    {
        if ($this->tokens->take('(')) {
            if ($this->tokens->isQuery()) {
                $this->query();
                $this->tokens->expect(')');

                return null;
            }
            $listed = $this->expressions();
            $this->tokens->must($listed !== []);

            return \count($listed) === 1 ? $listed[0] : null;
        }
        $isMinus = $this->tokens->is('-');
        $this->tokens->must(\in_array($this->tokens->key(), ['-', '+', '~', '!', '@'], true));
        $this->tokens->skip();
        if ($isMinus && $this->tokens->kind() === 'number' && Lexer::isInteger($this->tokens->text())) {
            return $this->tokens->number(-1);
        }
        $this->expression(\PHP_INT_MAX);

        return null;
    }

    /** An operand that begins with a word or a name. */
    private function named(): ?Column
    {
        $word = $this->tokens->key();
        if ($word !== '' && $this->grammar->isValue($word)) {
            $this->tokens->skip();
            if ($this->tokens->take('(')) {
                $this->skipped();
            }

            return null;
        }
        switch ($word) {
            case 'exists':
                $this->tokens->skip();
                $this->tokens->expect('(');
                $this->query();
                $this->tokens->expect(')');

                return null;
            case 'case':
                $this->tokens->skip();
                $this->cases();

                return null;
            case 'cast':
                $this->tokens->skip();
                if ($this->grammar->hasTablesBehindIn()) {
                    $this->cast();
                } else {
                    $this->tokens->expect('(');
                    $this->skipped();
                }

                return null;
        }
        if (!$this->grammar->hasTablesBehindIn() && $this->isOwn($word)) {
            return null;
        }
        if ($this->tokens->key(1) === '.') {
            $name = $this->tokens->source();
            $this->tokens->skip();
            if ($this->tokens->take('*')) {
                return null;
            }
            $column = $this->tokens->name();
            if ($this->tokens->take('.')) {
                $this->tokens->name();

                return null;
            }
            $this->tokens->must(!$this->tokens->is('('));

            return new Column($column, $name);
        }
        $name = $this->tokens->name();
        if ($this->tokens->take('(')) {
            $this->arguments();

            return null;
        }

        return new Column($name);
    }

    /** Whether the word begins an operand of its own way, which is read then. */
    private function isOwn(string $word): bool
    {
        if ($this->tokens->key(1) === '(' && $word !== '') {
            // Some functions have the name of a reserved word.
            $isCall = \in_array($word, ['any', 'all', 'some', 'array', 'row'], true)
                || (!$this->grammar->mayWrite($word, true) && !\in_array($word, ['not', 'select', 'values'], true));
            if ($isCall) {
                $this->tokens->skip(2);
                $this->called();
            }

            return $isCall;
        }
        if ($word === 'array' && $this->tokens->key(1) === '[') {
            $this->tokens->skip(2);
            $this->skipped(']');

            return true;
        }
        if ($this->tokens->isReserved('binary')) {
            $this->tokens->skip();
            $this->expression(\PHP_INT_MAX);

            return true;
        }
        if ($this->tokens->isReserved('interval')) {
            $this->tokens->skip();
            $this->expression(self::NEGATION + 1);
            $this->tokens->must($this->tokens->kind() === 'word');
            $this->tokens->skip();

            return true;
        }

        return false;
    }

    /** The arguments of a call, from behind its parenthesis on, and what may follow them. */
    private function called(): void
    {
        $this->skipped();
        if ($this->tokens->key() === 'within' && $this->tokens->key(1) === 'group') {
            $this->tokens->skip(2);
            $this->tokens->expect('(');
            $this->skipped();
        }
        if ($this->tokens->key() === 'filter' && $this->tokens->key(1) === '(') {
            $this->tokens->skip(2);
            $this->tokens->take('where');
            $this->skipped();
        }
        if ($this->tokens->key() === 'over' && $this->tokens->key(1) === '(') {
            $this->tokens->skip(2);
            $this->skipped();
        }
    }

    /** Skips to the closing sign, and reads the queries on the way. */
    private function skipped(string $close = ')'): void
    {
        $this->tokens->must(++$this->depth <= self::DEEPEST);
        if ($this->tokens->isQuery()) {
            $this->query();
        } else {
            while (!$this->tokens->is($close)) {
                $this->tokens->must($this->tokens->kind() !== '');
                $this->tokens->must(!\in_array($this->tokens->key(), self::ENDS_ARGUMENTS, true));
                $this->tokens->must(!\in_array($this->tokens->key(), [')', ']'], true));
                $opened = ['(' => ')', '[' => ']'][$this->tokens->key()] ?? null;
                $this->tokens->skip();
                if ($opened !== null) {
                    $this->skipped($opened);
                }
            }
        }
        $this->tokens->expect($close);
        --$this->depth;
    }

    /** A name, and the schema before it. */
    private function name(): void
    {
        $this->tokens->name();
        if ($this->tokens->take('.')) {
            $this->tokens->name();
        }
    }

    /** What stands behind `::`. */
    private function type(): void
    {
        $this->tokens->must($this->tokens->kind() === 'word');
        $this->tokens->skip();
        while (\in_array($this->tokens->key(), ['precision', 'varying'], true)) {
            $this->tokens->skip();
        }
        if ($this->tokens->take('(')) {
            $this->skipped();
        }
        if ($this->tokens->is('with') || $this->tokens->is('without')) {
            $this->tokens->skip();
            $this->tokens->expect('time');
            $this->tokens->expect('zone');
        }
    }

    private function arguments(): void
    {
        if (!$this->grammar->hasTablesBehindIn()) {
            $this->called();

            return;
        }
        if ($this->tokens->take('*')) {
            $this->tokens->expect(')');
        } else {
            $this->tokens->take('distinct');
            $this->expressions();
        }
    }

    private function cases(): void
    {
        if (!$this->tokens->is('when')) {
            $this->expression();
        }
        $this->tokens->must($this->tokens->is('when'));
        while ($this->tokens->take('when')) {
            $this->expression();
            $this->tokens->expect('then');
            $this->expression();
        }
        if ($this->tokens->take('else')) {
            $this->expression();
        }
        $this->tokens->expect('end');
    }

    private function cast(): void
    {
        $this->tokens->expect('(');
        $this->expression();
        $this->tokens->expect('as');
        do {
            $this->tokens->name();
        } while ($this->tokens->isName());
        if ($this->tokens->take('(')) {
            $this->expressions();
        }
        $this->tokens->expect(')');
    }
}
