<?php

declare(strict_types=1);

namespace Larder\Sql\Reading;

/**
 * What differs between databases in the text of a statement: its tokens, words, operators and functions.
 *
 * @internal
 *
 * @phpstan-import-type Token from Write
 */
interface Grammar
{
    /**
     * PCRE for one token, whose MARK is `skip`, `string`, `quoted`, `word`, `number`, `parameter`, `variable` or
     * `sign`. A text that it does not match to its end is not understood.
     */
    public function token(): string;

    /** Removes the quotes of an identifier. Names that are the same for the database have the same text then. */
    public function unquote(string $identifier): string;

    /** @return string|null the text of a string as it stands in the SQL; null: it is not a plain one */
    public function text(string $string): ?string;

    /**
     * Whether a word, in lower case, makes a result depend on the clock, on chance or on the connection. With `::`
     * before it, it is a type; with `"`, it stands in quotes.
     *
     * @param list<list<array{string, string}>>|null $arguments the tokens of each, as Statement reads them; null: the
     *     word is not called
     * @param bool                                   $isPlain   whether no blank stands before its parenthesis
     */
    public function isVolatile(string $word, ?array $arguments, bool $isPlain = true): bool;

    /**
     * Whether what is called so may write to tables; SQLite has no such functions. The name is in lower case, with a
     * quote before it if it stands in quotes or behind a schema.
     */
    public function mayWrite(string $function, bool $isPlain): bool;

    /** Whether a function, in lower case, may stand in a FROM clause and reads no table. */
    public function isTableFunction(string $name): bool;

    /** How tightly an operator binds: OR 1, AND 2, what is looser than NOT is below 3; 0: there is no such operator. */
    public function tightness(string $operator): int;

    /** Whether a word is no name of a table, a column or an alias unless it is quoted. */
    public function isReserved(string $word): bool;

    /** Whether a word is a value by itself, such as NULL. */
    public function isValue(string $word): bool;

    /** Whether a table's name behind this one and a dot means the same as without them. It is as it is written. */
    public function isOwnSchema(string $name): bool;

    /**
     * Whether the statement writes or locks, by the word at a position, which is never one behind a dot.
     *
     * @param list<array{string, string}> $tokens
     */
    public function writes(array $tokens, int $at): bool;

    /** Whether the word ends a FROM clause, wherever it stands outside of parentheses. */
    public function endsFrom(string $word): bool;

    /** Whether a word, in lower case and without quotes, may be the name of a table. */
    public function mayNameTable(string $word): bool;

    /** Whether a table may stand behind IN. One may be among the arguments of a call then. */
    public function hasTablesBehindIn(): bool;

    /** Whether the condition of a join sees all tables before it, and not only those behind the last comma. */
    public function seesAllBefore(): bool;

    /** Whether a common table is seen before its own end too, by whatever case its name is written in. */
    public function seesCommonTables(): bool;

    /** Whether WITH and this word go on with a clause, as in WITH TIES, and begin no common table. */
    public function goesOnWith(string $word): bool;

    /** Whether the database itself numbers the parameters, and not PDO. */
    public function numbersParameters(): bool;

    /** @return list<string> the names of the column with each row's number where the database may change that */
    public function rowNumbers(): array;

    /**
     * What a statement writes, found by its tokens alone: it may be too much, never too little.
     *
     * @param list<Token> $tokens of one statement
     * @param string      $sql    its text
     * @param list<int>   $ends   the offset in the text behind each token
     *
     * @return list<Write>|null null: unknown, so it may write to every table
     */
    public function written(array $tokens, string $sql, array $ends): ?array;

    /**
     * What a statement does beside its writes: its first word, or another as ServerWrite has it.
     *
     * @param list<Token> $tokens
     */
    public function verb(array $tokens): string;

    /** Whether one DELETE may remove rows of several tables. */
    public function deletesFromSeveral(): bool;

    /** Whether names of tables and aliases that differ in case only may be two. */
    public function tellsCases(): bool;

    /** Whether a string, in lower case and with its quotes, may be a time that depends on the clock. */
    public function isClock(string $string): bool;

    /** Whether a function, in lower case, depends on its arguments alone and changes nothing. */
    public function isPure(string $function): bool;

    /** Whether a function, in lower case, changes no rows, whatever its result depends on. */
    public function isHarmless(string $function): bool;
}
