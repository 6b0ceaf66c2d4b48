<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use Larder\Sql\Reading\Grammar;
use Larder\Sql\Reading\Lexer;
use Larder\Sql\Reading\Parser;
use Larder\Sql\Reading\Query;
use Larder\Sql\Reading\Write;
use Larder\Sql\Schema\Registry;

/**
 * What an SQL text can read, found by its tokens alone. It may find too much, but never too little.
 *
 * Every identifier counts as a possible table. Names where a table must stand (after FROM, JOIN, IN and a comma of a
 * FROM clause) are also listed as sources: one that is not declared could be a view on declared tables. The identifiers
 * need no grammar. Where the sources are not certain, the statement counts as not understood, and its result is not
 * stored. Where the strict parser understands the text too, and finds the same sources, reads() has narrower names.
 *
 * @internal
 *
 * @phpstan-import-type Token from Write
 */
final class Statement
{
    /** Functions that have a FROM of their own among their arguments. */
    private const WITH_FROM = ['extract', 'mid', 'overlay', 'position', 'substr', 'substring', 'trim'];

    /** Of the strict parser; null: it does not understand the text. */
    private ?Query $query = null;

    /** @var list<string> parameters whose value may be a time that depends on the clock; in lower case */
    private array $times = [];

    /** Null: nobody asks of it what depends on the grammar. */
    private ?Grammar $grammar = null;

    private ?DerivedReads $reads = null;

    /** Of the tables in `reads` and `unknown`, at its state. */
    private ?Registry $registry = null;

    private int $state = 0;

    /** @var list<string> */
    private array $unknown = [];

    /** @var list<int|string>|null */
    private ?array $literals = null;

    /**
     * @param list<string> $identifiers lower case, each once
     * @param list<string> $sources     names where a table must stand, lower case, each once
     * @param string|null  $refusal     why a result of this statement must not be stored
     * @param list<Write>|null $writes  null: unknown, so it may write to every table
     * @param string       $verb        its first word, lower case; of ROLLBACK TO both
     * @param list<string> $parts       its texts, if it is more than one statement
     */
    private function __construct(
        public readonly array $identifiers,
        public readonly array $sources,
        public readonly bool $volatile,
        public readonly ?string $refusal,
        public readonly ?array $writes = [],
        public readonly string $verb = 'select',
        public readonly array $parts = [],
    ) {}

    /** @param array<array-key, list<string>>|null $found of Lexer::shape() */
    public static function parse(string $sql, Grammar $grammar, ?array $found = null): self
    {
        $ends = [];
        $tokens = Lexer::tokens($sql, $grammar, $ends, $found);
        if ($tokens === null) {
            return new self([], [], false, 'cannot be parsed', null, '');
        }
        while ($tokens !== [] && $tokens[\count($tokens) - 1] === ['sign', ';']) {
            array_pop($tokens);
        }
        $refusal = self::refusal($tokens, $grammar);
        $called = self::called($tokens, $ends, $grammar);
        if ($called !== null && self::first($tokens) !== '') {
            $isRead = \in_array(self::first($tokens), ['select', 'values', 'with'], true);
            $refusal ??= "calls $called(), of which it is not known what it reads and writes";
            if ($isRead) {
                return new self(
                    [],
                    [],
                    true,
                    $refusal,
                    $grammar->written($tokens, $sql, $ends),
                    $grammar->verb($tokens),
                    self::parts($sql, $tokens, $ends),
                );
            }
        }
        $sources = $refusal === null ? self::sources($tokens, $sql, $ends, $grammar) : [];
        if ($refusal !== null || $sources === null) {
            return new self(
                [],
                [],
                false,
                $refusal ?? 'cannot be parsed: its FROM clause',
                self::first($tokens) === 'select' && $refusal === null
                    ? []
                    : $grammar->written($tokens, $sql, $ends),
                $grammar->verb($tokens),
                self::parts($sql, $tokens, $ends),
            );
        }

        $statement = new self(
            self::identifiers($tokens),
            $sources,
            self::isVolatile($tokens, $ends, $grammar),
            null,
        );
        $statement->query = self::query($sql, $tokens, $ends, $sources, $grammar);
        $statement->times = self::times($tokens, $grammar);
        $statement->grammar = $grammar;

        return $statement;
    }

    /**
     * The statement of a text of the same shape.
     *
     * @param list<int|string> $literals in that text, as Lexer::shape() has them
     */
    public function with(array $literals): self
    {
        $statement = clone $this;
        $statement->literals = $literals;

        return $statement;
    }

    /** @return list<int|string>|null those of its own text; null: those that were parsed */
    public function literals(): ?array
    {
        return $this->literals;
    }

    /** Whether it writes, and returns rows of what it wrote. */
    public function returnsRows(): bool
    {
        return array_filter($this->writes ?? [], static fn(Write $write): bool => $write->returns) !== [];
    }

    /**
     * Whether the value of a parameter may be a time that depends on the clock, as PostgreSQL's 'now'.
     *
     * @param Closure(int, string|null): (array{int|string|null}|null)|null $sent as RecordedReads has it
     */
    public function asksForTime(?Closure $sent): bool
    {
        if ($sent === null) {
            return false;
        }
        foreach ($this->times as $i => $parameter) {
            $value = $sent($i + 1, $parameter[0] === ':' ? $parameter : null)[0] ?? null;
            if (\is_string($value) && !ctype_digit($value) && $this->grammar?->isClock(strtolower($value)) === true) {
                return true;
            }
        }

        return false;
    }

    /** Whether it may ask for the numbers of rows, which SQLite's VACUUM changes where no column is one. */
    public function asksForRowids(Registry $registry): bool
    {
        $names = array_intersect($this->grammar?->rowNumbers() ?? [], $this->identifiers);
        foreach ($names === [] ? [] : $this->sources as $source) {
            $columns = array_keys($registry->find($source)->columns ?? []);
            $names = array_diff($names, array_map(strtolower(...), $columns));
        }

        return $names !== [];
    }

    /**
     * @param list<Token> $tokens
     *
     * @return list<string> the parameters that asksForTime() looks at
     */
    private static function times(array $tokens, Grammar $grammar): array
    {
        if (!$grammar->isClock('now')) {
            return [];
        }

        return array_column(array_filter($tokens, static fn(array $one): bool => $one[0] === 'parameter'), 1);
    }

    /** @return DerivedReads|null null: each table in it is read whole */
    public function reads(Registry $registry): ?DerivedReads
    {
        $state = $registry->state();
        if ($this->state !== $state || $this->registry !== $registry) {
            $this->derive($registry, $state);
        }

        return $this->reads;
    }

    /** @return list<string>|null the tables and views of a query, in lower case; null: what it gives depends on more */
    public static function sourcesOf(string $query, Grammar $grammar): ?array
    {
        $statement = self::parse($query, $grammar);

        return $statement->refusal === null && !$statement->volatile ? $statement->sources : null;
    }

    /** @return list<string> the sources that the registry of the last reads() does not have, as views */
    public function unknown(): array
    {
        return $this->unknown;
    }

    private function derive(Registry $registry, int $state): void
    {
        $this->reads = $this->query === null ? null : DerivedReads::of($this->query, $registry);
        $this->unknown = [];
        foreach ($this->sources as $source) {
            if ($registry->find($source) === null) {
                $this->unknown[] = $source;
            }
        }
        $this->registry = $registry;
        $this->state = $state;
    }

    /**
     * @param list<Token>  $tokens
     * @param list<int>    $ends
     * @param list<string> $sources
     *
     * @return Query|null null also if it finds other tables than the tokens tell
     */
    private static function query(string $sql, array $tokens, array $ends, array $sources, Grammar $grammar): ?Query
    {
        $query = Parser::parse($sql, $tokens, $ends, $grammar);
        if ($query === null) {
            return null;
        }
        $tables = $query->tables();
        if ($tables === $sources) {
            return $query;
        }
        $differ = [...array_diff($sources, $tables), ...array_diff($tables, $sources, $query->common)];

        return $differ === [] ? $query : null;
    }

    /**
     * Whether it surely is a SELECT that changes nothing, as one look tells. Where nothing is recorded, no more has to
     * be known of it; of other statements this says nothing.
     */
    public static function isPlain(string $sql, Grammar $grammar): bool
    {
        $others = 'insert|update|delete|replace|merge|into|with|window|for|lock|procedure';
        if (preg_match('/^SELECT\s[\w\s.,*=?:()<>+-]++$/iD', $sql) !== 1
            || preg_match("/\b(?:$others)\b/i", $sql) === 1) {
            return false;
        }
        if (!str_contains($sql, '(')) {
            return true;
        }
        // A comment may stand between a function's name and its parenthesis.
        if (str_contains($sql, '--')) {
            return false;
        }
        preg_match_all('/(\.?)\s*+\b(\w++)(\s*+)\(/', strtolower($sql), $calls, PREG_SET_ORDER);
        foreach ($calls as [, $dot, $word, $blank]) {
            if ($grammar->mayWrite($dot . $word, $blank === '')) {
                return false;
            }
        }

        return true;
    }

    /**
     * @param list<Token> $tokens
     *
     * @return string the first word; parentheses may stand before it, except in SQLite
     */
    private static function first(array $tokens): string
    {
        $at = 0;
        while (($tokens[$at] ?? null) === ['sign', '(']) {
            ++$at;
        }

        return $tokens[$at][1] ?? '';
    }

    /** @param list<Token> $tokens */
    private static function refusal(array $tokens, Grammar $grammar): ?string
    {
        $first = self::first($tokens);
        foreach ($tokens as $i => [$kind, $text]) {
            if ($kind === 'word') {
                if ($grammar->writes($tokens, $i)) {
                    return 'writes';
                }
                if ($text !== 'with' && $text !== 'window') {
                    continue;
                }
                $next = $tokens[$i + 1][1] ?? '';
                $isCommon = $text === 'with' && $i > 0 && !$grammar->goesOnWith($next);
                if ($isCommon || ($text === 'window' && $first === 'with')) {
                    return 'cannot be parsed: WITH inside it or beside WINDOW';
                }
            } elseif ($text === ';' && $kind === 'sign') {
                return 'is more than one statement';
            }
        }

        return \in_array($first, ['select', 'values', 'with'], true) ? null : 'is no SELECT';
    }

    /**
     * @param list<Token> $tokens
     * @param list<int>   $ends
     *
     * @return string|null the first function that may write
     */
    private static function called(array $tokens, array $ends, Grammar $grammar): ?string
    {
        foreach ($tokens as $i => [$kind, $text]) {
            if (($tokens[$i + 1][1] ?? '') === '(' && self::isCalled($tokens, $i)
                && $grammar->mayWrite(
                    ($kind === 'quoted' ? '"' : '') . $text,
                    self::isPlainCall($ends, $i),
                )) {
                return $text;
            }
        }

        return null;
    }

    /**
     * Whether it may be a function's name, and not a word or an alias that a parenthesis may follow.
     *
     * @param list<Token> $tokens
     */
    private static function isCalled(array $tokens, int $at): bool
    {
        [$kind, $text] = $tokens[$at];
        if (($tokens[$at + 1] ?? null) !== ['sign', '('] || !\in_array($kind, ['word', 'quoted'], true)) {
            return false;
        }
        [$before, $word] = $tokens[$at - 1] ?? ['', ''];
        $isWord = $kind === 'word' && match ($text) {
            'any', 'some' => $before === 'sign' && \in_array($word, ['=', '<', '>', '<=', '>=', '<>', '!='], true),
            'rollup', 'cube' => $word === 'by',
            'sets' => $word === 'grouping',
            'materialized' => $word === 'not',
            default => false,
        };

        $isAlias = [$before, $word] === ['sign', ')'] || [$before, $word] === ['word', 'as'];

        return !$isWord && !$isAlias && !self::isCommon($tokens, $at);
    }

    /**
     * Whether it is a common table with a list of its columns.
     *
     * @param list<Token> $tokens
     */
    private static function isCommon(array $tokens, int $at): bool
    {
        $isBegin = \in_array(
            $tokens[$at - 1] ?? ['', ''],
            [['word', 'with'], ['word', 'recursive'], ['sign', ',']],
            true,
        );
        if (!$isBegin || ($tokens[0][1] ?? '') !== 'with') {
            return false;
        }
        $close = $at + 2;
        while (\in_array($tokens[$close][0] ?? '', ['word', 'quoted'], true) || ($tokens[$close][1] ?? '') === ',') {
            ++$close;
        }

        if (($tokens[$close] ?? null) !== ['sign', ')'] || ($tokens[$close + 1] ?? null) !== ['word', 'as']) {
            return false;
        }
        $close += ($tokens[$close + 2] ?? null) === ['word', 'not'] ? 1 : 0;
        // Alone it is the name of a column.
        $close += ($tokens[$close + 2] ?? null) === ['word', 'materialized'] ? 1 : 0;

        return ($tokens[$close + 2] ?? null) === ['sign', '('];
    }

    /** @param list<int> $ends */
    private static function isPlainCall(array $ends, int $at): bool
    {
        return $ends[$at] + 1 === $ends[$at + 1];
    }

    /**
     * @param list<Token> $tokens
     * @param list<int>   $ends   offset behind each token
     *
     * @return list<string> the texts of the statements, none if it is only one. That of a trigger ends with `; END`.
     */
    private static function parts(string $sql, array $tokens, array $ends): array
    {
        $parts = [];
        $from = $first = 0;
        foreach ($tokens as $i => $token) {
            $isInside = Write::isTrigger(\array_slice($tokens, $first, 3))
                && ([$tokens[$i - 1] ?? null, $tokens[$i - 2] ?? null] !== [['word', 'end'], ['sign', ';']]);
            if ($token === ['sign', ';'] && !$isInside) {
                $parts[] = substr($sql, $from, $ends[$i] - $from);
                $from = $ends[$i];
                $first = $i + 1;
            }
        }

        return $parts === [] ? [] : [...$parts, substr($sql, $from)];
    }

    /**
     * @param list<Token> $tokens
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
     * @param list<Token> $tokens
     * @param list<int>   $ends
     *
     * @return list<string>|null null: something else stands where a table must
     */
    private static function sources(array $tokens, string $sql, array $ends, Grammar $grammar): ?array
    {
        $sources = $qualified = [];
        /** @var list<array{bool, bool}> $outer by parenthesis: whether a FROM clause is open, and FROM begins none */
        $outer = [];
        $from = $expected = $isArgument = false;
        for ($i = 0, $count = \count($tokens); $i < $count; ++$i) {
            [$kind, $text] = $tokens[$i];
            $isSign = $kind === 'sign';
            if (!$expected && !$isSign && $kind !== 'word') {
                continue;
            }
            $next = $tokens[$i + 1] ?? ['', ''];
            $isName = $expected && ($kind === 'quoted' || ($kind === 'word' && $grammar->mayNameTable($text)));
            if ($isSign && $text === '(') {
                $outer[] = [$from, $isArgument];
                $query = self::beginsQuery($tokens, $i + 1);
                $isArgument = !$query && ($tokens[$i - 1][0] ?? '') === 'word'
                    && \in_array($tokens[$i - 1][1], self::WITH_FROM, true);
                $from = $expected = $expected && !$query;
            } elseif ($expected && !$isName && self::precedesTable($kind, $text, $grammar)) {
                continue;
            } elseif ($expected && $kind === 'word' && $text === 'dual' && $grammar->isReserved($text)) {
                $expected = false;
            } elseif ($expected && $isName) {
                if ($next === ['sign', '.']) {
                    $name = $tokens[$i + 2] ?? ['', ''];
                    $schema = $grammar->tellsCases() ? Lexer::written($sql, $ends[$i], $text) : $text;
                    if (!$grammar->isOwnSchema($schema) || !\in_array($name[0], ['word', 'quoted'], true)) {
                        return null;
                    }
                    $text = $name[1];
                    $i += 2;
                    $next = $tokens[$i + 1] ?? ['', ''];
                    $qualified[$text] = $text;
                }
                if ($next !== ['sign', '(']) {
                    $sources[$text][] = $i;
                } elseif (!$grammar->isTableFunction($text)) {
                    return null;
                }
                $expected = false;
            } elseif ($expected) {
                return null;
            } elseif ($isSign) {
                if ($text === ')') {
                    if ($outer === []) {
                        return null;
                    }
                    [$from, $isArgument] = array_pop($outer);
                } elseif ($text === ',') {
                    $expected = $from;
                }
            } elseif ($from && $text[0] === '/') {
                return null;
            } elseif (($tokens[$i - 1] ?? null) === ['word', 'for']) {
                // An index is for ORDER BY, GROUP BY or JOIN.
                continue;
            } elseif (
                $text === 'join'
                || ($text === 'from' && !$isArgument && !self::isDistinctFrom($tokens, $i))
                || ($text === 'straight_join' && $from && $grammar->isReserved($text))
            ) {
                $from = $expected = true;
            } elseif ($text === 'in' && $grammar->hasTablesBehindIn()) {
                $expected = $next !== ['sign', '('];
            } elseif ($from && $grammar->endsFrom($text)) {
                $from = false;
            }
        }

        if ($expected || $outer !== []) {
            return null;
        }
        // main.v is never the common table v.
        $common = ($tokens[0][1] ?? '') === 'with' ? self::commonTables($tokens) : [];
        $tables = array_map(strval(...), array_keys($sources));
        foreach ($tables as $table) {
            if (strtolower($table) !== $table) {
                return null;
            }
        }
        foreach ($grammar->seesCommonTables() ? [] : array_intersect($common, $tables) as $name) {
            if (!self::isCommonTable($name, $tokens, $sources[$name], $sql, $ends)) {
                return null;
            }
        }

        return $common === [] && $qualified === []
            ? $tables
            : array_values(array_unique([...array_diff($tables, $common), ...$qualified]));
    }

    /** @param list<Token> $tokens */
    private static function beginsQuery(array $tokens, int $at): bool
    {
        return ($tokens[$at] ?? null) === ['word', 'select'] || (($tokens[$at] ?? null) === ['word', 'values']
            && ($tokens[$at + 1] ?? null) === ['sign', '(']);
    }

    private static function precedesTable(string $kind, string $text, Grammar $grammar): bool
    {
        return $kind === 'word' && \in_array($text, ['lateral', 'only'], true) && $grammar->isReserved($text);
    }

    /**
     * Whether it is the FROM of IS DISTINCT FROM.
     *
     * @param list<Token> $tokens
     */
    private static function isDistinctFrom(array $tokens, int $at): bool
    {
        $is = ($tokens[$at - 2] ?? null) === ['word', 'not'] ? $at - 3 : $at - 2;

        return ($tokens[$at - 1] ?? null) === ['word', 'distinct']
            && ($tokens[$is] ?? null) === ['word', 'is'];
    }

    /**
     * Whether each of these uses is surely the common table: before its own end its name is an ordinary table, unless
     * all are RECURSIVE.
     *
     * @param list<Token> $tokens
     * @param list<int>   $uses   positions
     * @param list<int>   $ends
     */
    private static function isCommonTable(string $name, array $tokens, array $uses, string $sql, array $ends): bool
    {
        $made = [];
        $spelt = null;
        foreach ($tokens as $i => [$kind, $text]) {
            $before = $tokens[$i - 1] ?? ['', ''];
            $isBegin = \in_array($before, [['word', 'with'], ['word', 'recursive'], ['sign', ',']], true);
            if ($text !== $name || !\in_array($kind, ['word', 'quoted'], true)) {
                continue;
            }
            $written = Lexer::written($sql, $ends[$i], $name);
            if (($spelt ??= $written) !== $written) {
                return false;
            }
            if ($isBegin && (\in_array($tokens[$i + 1] ?? null, [['word', 'as'], ['sign', '(']], true))
                && !\in_array($i, $uses, true)) {
                $made[] = $i;
            }
        }
        if (\count($made) !== 1) {
            return false;
        }
        if (($tokens[1] ?? null) === ['word', 'recursive']) {
            return true;
        }
        $depth = $end = 0;
        $isBody = false;
        for ($i = $made[0], $count = \count($tokens); $i < $count; ++$i) {
            $end = $i;
            $isBody = $isBody || ($depth === 0 && $tokens[$i] === ['word', 'as']);
            $depth += $tokens[$i] === ['sign', '('] ? 1 : 0;
            $depth -= $tokens[$i] === ['sign', ')'] ? 1 : 0;
            if ($isBody && $depth === 0 && $tokens[$i] === ['sign', ')']) {
                break;
            }
        }

        return ($uses[0] ?? 0) > $end;
    }

    /**
     * @param list<Token> $tokens
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

    /**
     * @param list<Token> $tokens
     * @param list<int>   $ends
     */
    private static function isVolatile(array $tokens, array $ends, Grammar $grammar): bool
    {
        foreach ($tokens as $i => [$kind, $text]) {
            if ($kind === 'sign' || $kind === 'number' || $kind === 'parameter') {
                continue;
            }
            if ($kind === 'variable' || ($kind === 'string' && $grammar->isClock($text))) {
                return true;
            }
            if ($kind === 'string') {
                continue;
            }
            $arguments = ($tokens[$i + 1][1] ?? '') === '(' && self::isCalled($tokens, $i)
                ? self::arguments($tokens, $i + 2)
                : null;
            $isPlain = $arguments === null || self::isPlainCall($ends, $i);
            $name = $kind === 'quoted' ? '"' . $text : $text;
            if (($tokens[$i - 1] ?? null) === ['sign', '::']) {
                $name = '::' . $text;
                $arguments = null;
            }
            if ($grammar->isVolatile($name, $arguments, $isPlain)) {
                return true;
            }
        }

        return false;
    }

    /**
     * @param list<Token> $tokens
     *
     * @return list<list<Token>> the arguments of a call, from behind its parenthesis on
     */
    private static function arguments(array $tokens, int $at): array
    {
        $arguments = [[]];
        for ($depth = 0; isset($tokens[$at]) && ($depth > 0 || $tokens[$at] !== ['sign', ')']); ++$at) {
            $depth += $tokens[$at] === ['sign', '('] ? 1 : 0;
            $depth -= $tokens[$at] === ['sign', ')'] ? 1 : 0;
            if ($depth === 0 && $tokens[$at] === ['sign', ',']) {
                $arguments[] = [];
            } else {
                $arguments[array_key_last($arguments)][] = $tokens[$at];
            }
        }

        return $arguments === [[]] ? [] : $arguments;
    }
}
