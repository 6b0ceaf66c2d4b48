<?php

declare(strict_types=1);

namespace Larder\Dependency\Sql;

/** What differs between databases in the text of a statement: its tokens, words and functions. */
interface Grammar
{
    /**
     * PCRE for one token, whose MARK is `skip`, `string`, `quoted`, `word`, `number`, `parameter` or `sign`. A text
     * that it does not match to its end is not understood.
     */
    public function token(): string;

    /** Removes the quotes of an identifier. */
    public function unquote(string $identifier): string;

    /**
     * Whether a word, in lower case, makes a result depend on the clock, on chance or on the connection.
     *
     * @param list<list<array{string, string}>>|null $arguments the tokens of each, as Statement reads them; null: the
     *     word is not called
     */
    public function isVolatile(string $word, ?array $arguments): bool;

    /** Whether a function, in lower case, may stand in a FROM clause and reads no table. */
    public function isTableFunction(string $name): bool;
}
