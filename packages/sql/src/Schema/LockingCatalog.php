<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

/** @internal What a server says of its schema that decides whether changes can be followed row by row. */
interface LockingCatalog extends Catalog
{
    /**
     * A query for one row of a table, and its parameters. Its columns:
     *
     * - `readable`: 1 if the account may read the table and lock its rows;
     * - `watched`: 1 if a trigger sees a row before it is written, or a whole statement, or if there is a rule;
     * - `triggered`: 1 if there is any trigger;
     * - `number`: the column that is numbered, or ''; `sequence`: by which it is, or '';
     * - `made`: columns, with commas between, that an UPDATE changes although it does not assign them.
     *
     * @param string $table in lower case
     *
     * @return array{string, list<string>}
     */
    public function facts(string $table): array;

    /**
     * A query for one row. Its columns: `writing`, 1 if a function of the database may write; `deferring`, 1 if a
     * constraint is looked at no sooner than at COMMIT.
     */
    public function allFacts(): string;
}
