<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

/**
 * What differs between databases in the SQL that is made at random.
 *
 * Where a form has `%s`, the first stands for a column's name, and the second for a value.
 */
interface Words
{
    /** @return non-empty-array<string, int> styles of parameters, '' for none at all, with weights */
    public function parameters(): array;

    /** @return non-empty-list<string> literals of the column's own kind */
    public function literals(Column $column): array;

    /** @return non-empty-list<string> values that look like others, or are of another kind */
    public function strange(Column $column): array;

    /** @return non-empty-list<int|float|string|bool|null> what an application may bind by mistake */
    public function bound(Column $column): array;

    /** @return non-empty-list<int|float|string|bool|null> what an application binds */
    public function own(Column $column): array;

    /** Whether values of two kinds are an error where they meet. */
    public function isStrict(): bool;

    /** Whether values of the two are compared without an error. */
    public function areAlike(Column $one, Column $other): bool;

    /** @return non-empty-list<string> a table or a column in quotes */
    public function quoted(string $name): array;

    /** @return non-empty-list<string> a table with a schema before it, or as it is */
    public function qualified(string $table): array;

    /** @return list<string> columns that each ordinary table has without declaring them */
    public function hidden(): array;

    /** @return non-empty-array<string, int> operators between a column and a value, with weights */
    public function comparisons(Column $column): array;

    /** @return non-empty-array<string, int> operators between two conditions, with weights */
    public function connectives(): array;

    /** @return non-empty-list<string> what may stand behind a column to ask whether it is null */
    public function nulls(): array;

    /** @return non-empty-array<string, int> what may stand between tables, with weights */
    public function joins(): array;

    /** @return non-empty-list<string> */
    public function compounds(): array;

    /** @return non-empty-list<string> what may stand between AS and the query of a WITH */
    public function materialized(): array;

    /** @return non-empty-list<string> */
    public function aggregates(string $name, Column $column): array;

    /** @return non-empty-list<string> what looks like a narrow condition and is none */
    public function traps(Column $column): array;

    /** @return non-empty-list<string> conditions of no column, or a name and a value, behind which nothing is narrow */
    public function alternatives(): array;

    /** @return non-empty-list<string> what begins a transaction */
    public function begins(): array;

    /** @return non-empty-list<string> what ends it */
    public function ends(bool $rollsBack): array;

    /** @return non-empty-list<string> what stands before the first write of a transaction at times */
    public function introductions(): array;

    /** @return non-empty-array<string, int> how an INSERT begins, with weights */
    public function inserts(): array;

    /** An INSERT of a row without any value. */
    public function defaults(string $verb, string $table): string;

    /**
     * @param list<string> $key    of the table
     * @param Column       $column that may be written
     *
     * @return non-empty-list<string> what stands behind VALUES of an upsert
     */
    public function upserts(array $key, string $table, Column $column): array;

    /** @return non-empty-array<string, int> how an UPDATE begins, with weights */
    public function updates(): array;

    /** @return non-empty-list<string> lists of what a SET assigns that are no plain ones */
    public function assignments(): array;

    /** Text with a number behind it, as a value of the column in SET. */
    public function added(Column $column): string;

    /**
     * @param string $column of the table
     * @param string $other  another table, which may be the same, and its column
     *
     * @return non-empty-list<string> statements that write a table by another one, with {sets} for what SET assigns, or
     *     {t.sets} if the names in it need a `t.`
     */
    public function joined(string $table, string $column, string $other, string $otherColumn): array;

    /** @return non-empty-list<string> statements that write, or look as if they did */
    public function oddWrites(RandomTable $table, string $column): array;

    /** @return list<string> what may stand behind UPDATE or DELETE with their WHERE */
    public function tails(RandomTable $table): array;

    /**
     * @param int $number of the change
     *
     * @return non-empty-array<string, int> statements that change the schema, with weights
     */
    public function schemaChanges(
        RandomTable $table,
        string $column,
        RandomTable $view,
        string $other,
        int $number,
    ): array;
}
