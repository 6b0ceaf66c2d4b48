<?php

declare(strict_types=1);

namespace Larder\Dependency\Sql;

/**
 * @internal Reads SELECT, VALUES and WITH as SQLite does, or not at all.
 *
 * It looks for what narrows a read: equalities that hold for all that a SELECT finds. All other expressions are read
 * to know where they end and which tables they read.
 *
 * @phpstan-import-type Token from \Larder\Dependency\Write
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

    private const ANY = 1;
    private const CONJUNCTION = 2;
    private const NEGATION = 3;
    private const EQUALITY = 4;
    private const COMPARISON = 5;

    /** How tightly operators bind; what is not here is as tight as =. A longer sign is looked for first. */
    private const TIGHTNESS = [
        '->>' => 9, '->' => 9, '||' => 9, '==' => 4, '<>' => 4, '!=' => 4, '<=' => 5, '>=' => 5, '<<' => 6, '>>' => 6,
        '=' => 4, '<' => 5, '>' => 5, '&' => 6, '|' => 6, '+' => 7, '-' => 7, '*' => 8, '/' => 8, '%' => 8,
        'or' => 1, 'and' => 2, 'is' => 4, 'in' => 4, 'like' => 4, 'glob' => 4, 'regexp' => 4, 'match' => 4,
        'between' => 4, 'isnull' => 4, 'notnull' => 4, 'not' => 4, 'collate' => 10,
    ];

    /** What operators of several signs are made of. */
    private const SIGNS = ['-' => 1, '>' => 1, '<' => 1, '=' => 1, '|' => 1, '!' => 1];

    /** What may stand behind NOT, and has an operand. */
    private const NEGATED = ['in', 'like', 'glob', 'regexp', 'match', 'between'];

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
            $parser = new self(new Tokens($tokens, $sql, $ends), $grammar);
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
            $this->common[] = $this->tokens->name();
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
            } else {
                $this->select();
            }
        } while ($this->isCompound());
        if ($this->tokens->take('order')) {
            $this->tokens->expect('by');
            $this->order();
        }
        if ($this->tokens->take('limit')) {
            $this->expression();
            if ($this->tokens->take('offset') || $this->tokens->take(',')) {
                $this->expression();
            }
        }
        --$this->depth;
    }

    private function isCompound(): bool
    {
        if ($this->tokens->take('union')) {
            $this->tokens->take('all');

            return true;
        }

        return $this->tokens->take('except') || $this->tokens->take('intersect');
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
        if (!$this->tokens->take('distinct')) {
            $this->tokens->take('all');
        }
        do {
            $this->column();
        } while ($this->tokens->take(','));
        [$sources, $equalities] = $this->tokens->take('from') ? $this->sources() : [[], []];
        if ($this->tokens->take('where')) {
            $equalities = [...$equalities, ...$this->equalities()];
        }
        if ($this->tokens->take('group')) {
            $this->tokens->expect('by');
            $this->listed();
        }
        if ($this->tokens->take('having')) {
            $this->expression();
        }
        $this->selects[] = new Select($sources, $equalities);
    }

    /** One of the result. */
    private function column(): void
    {
        if ($this->tokens->take('*')) {
            return;
        }
        if ($this->tokens->isName() && $this->tokens->key(1) === '.' && $this->tokens->key(2) === '*') {
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
        while (($join = $this->join()) !== null) {
            $this->tokens->must(\count($sources) < self::MOST_SOURCES);
            $source = $this->source();
            $matches = [];
            if ($this->tokens->take('on')) {
                foreach ($this->equalities() as $equality) {
                    $matches[] = new Equality($equality->column, $equality->to, \count($sources) + 1);
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
        $isJoin = $this->tokens->take('join');
        $this->tokens->must($isJoin || !$isNatural);

        return $isJoin ? 'inner' : null;
    }

    private function source(): Source
    {
        if ($this->tokens->take('(')) {
            $this->query();
            $this->tokens->expect(')');

            return new Source(null, $this->alias() ?? '');
        }
        $table = $this->tokens->name();
        if ($this->tokens->take('.')) {
            $this->tokens->must($table === 'main');
            $table = $this->tokens->name();
        }
        if ($this->tokens->take('(')) {
            $this->tokens->must($this->grammar->isTableFunction($table));
            $this->expressions();

            return new Source(null, $this->alias() ?? $table);
        }

        return new Source($table, $this->alias() ?? $table);
    }

    private function alias(): ?string
    {
        return $this->tokens->take('as') || $this->tokens->isName() ? $this->tokens->name() : null;
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
        while (($operator = $this->operator()) !== null && self::TIGHTNESS[$operator] >= $least) {
            $left = $this->applied($operator, $left);
        }
        --$this->depth;

        return $left;
    }

    /** @return key-of<self::TIGHTNESS>|null the operator that is next */
    private function operator(): ?string
    {
        $sign = $this->tokens->key();
        $found = isset(self::TIGHTNESS[$sign]) ? $sign : null;
        if (isset(self::SIGNS[$sign])) {
            for ($ahead = 1; $ahead < 3 && isset(self::SIGNS[$this->tokens->key($ahead)]); ++$ahead) {
                $sign .= $this->tokens->key($ahead);
                $found = isset(self::TIGHTNESS[$sign]) ? $sign : $found;
            }
        }

        return $found;
    }

    /** @param key-of<self::TIGHTNESS> $operator that is next */
    private function applied(
        string $operator,
        Column|Constant|Conditions|null $left,
    ): ?Conditions {
        $tightness = self::TIGHTNESS[$operator];
        $this->tokens->skip($this->tokens->kind() === 'word' ? 1 : \strlen($operator));
        switch ($operator) {
            case 'and':
                return $this->both($left, $this->expression(self::CONJUNCTION + 1));
            case '=':
            case '==':
                return self::equal($left, $this->expression(self::COMPARISON));
            case 'in':
                return $this->among($left);
            case 'isnull':
            case 'notnull':
                return null;
            case 'collate':
                $this->tokens->name();

                return null;
            case 'is':
                $this->tokens->take('not');
                if ($this->tokens->take('distinct')) {
                    $this->tokens->expect('from');
                }
                $this->expression(self::COMPARISON);

                return null;
            case 'not':
                if ($this->tokens->take('null')) {
                    return null;
                }
                $negated = $this->operator();
                $this->tokens->must(\in_array($negated, self::NEGATED, true));
                $this->applied($negated, null);

                return null;
            case 'between':
                $this->expression(self::COMPARISON);
                $this->tokens->expect('and');
                $this->expression(self::COMPARISON);

                return null;
            default:
                $this->expression($tightness + 1);
                if ($tightness === self::EQUALITY && $this->tokens->take('escape')) {
                    $this->expression(self::COMPARISON);
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
            $table = $this->tokens->name();
            if ($this->tokens->take('.')) {
                $this->tokens->must($table === 'main');
                $table = $this->tokens->name();
            }
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
        $text = $this->tokens->text();
        switch ($this->tokens->kind()) {
            case 'number':
                $this->tokens->skip();

                return self::isInteger($text) ? Constant::literal((int) $text) : null;
            case 'string':
                $string = $this->tokens->string();

                return $string[0] === "'" ? Constant::literal(str_replace("''", "'", substr($string, 1, -1))) : null;
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
        $this->tokens->must($isMinus || $this->tokens->is('+') || $this->tokens->is('~'));
        $this->tokens->skip();
        if ($isMinus && $this->tokens->kind() === 'number' && self::isInteger($this->tokens->text())) {
            $number = (int) $this->tokens->text();
            $this->tokens->skip();

            return Constant::literal(-$number);
        }
        $this->expression(\PHP_INT_MAX);

        return null;
    }

    /** An operand that begins with a word or a name. */
    private function named(): ?Column
    {
        switch ($this->tokens->key()) {
            case 'null':
            case 'current_date':
            case 'current_time':
            case 'current_timestamp':
                $this->tokens->skip();

                return null;
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
                $this->cast();

                return null;
        }
        $name = $this->tokens->name();
        if ($this->tokens->take('(')) {
            $this->arguments();

            return null;
        }
        if (!$this->tokens->take('.')) {
            return new Column($name);
        }
        $column = $this->tokens->name();
        if ($this->tokens->take('.')) {
            $this->tokens->name();

            return null;
        }

        return new Column($column, $name);
    }

    private function arguments(): void
    {
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

    /** As SQLite writes it itself, and so small that it is one on each platform. */
    private static function isInteger(string $number): bool
    {
        return \strlen($number) <= 18 && ctype_digit($number) && ($number[0] !== '0' || $number === '0');
    }
}
