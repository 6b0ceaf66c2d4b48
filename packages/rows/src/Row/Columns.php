<?php

declare(strict_types=1);

namespace Larder\Row;

use Larder\Exception\UnknownName;
use Larder\Sql\Tracker\TrackedConnection;

/** @internal The names of the columns of one table. */
final readonly class Columns
{
    /** A name that could be a column's, where it is not known which there are. */
    private const PLAIN = '/^[A-Za-z_][A-Za-z0-9_]*$/D';

    public function __construct(
        private string $name,
        private TrackedConnection $connection,
        private Lookup $lookup,
    ) {}

    /**
     * Lets no name into a query that is no column's: it is quoted, but a `?` in it would shift PDO's parameters.
     *
     * @param list<array-key> $columns
     *
     * @throws UnknownName
     */
    public function must(array $columns): void
    {
        $registry = $this->connection->registry();
        $all = ($this->lookup->generation()->table ?? $registry->find($this->name))->allColumns
            ?? $registry->schema()?->table(strtolower($this->name))->allColumns ?? [];
        $others = array_filter(
            array_map(strval(...), $columns),
            static fn(string $column): bool => !self::isOneOf($column, $all),
        );
        // A column may have come past Larder. Of what is no ordinary table the database itself tells its columns.
        $all = $others === [] ? [] : array_map(strval(...), array_column(
            $this->connection->own()->rows($this->connection->dialect()->catalog()->columns(), [$this->name]),
            'name',
        ));
        foreach ($others as $column) {
            if ($all === [] ? preg_match(self::PLAIN, $column) !== 1 : !self::isOneOf($column, $all)) {
                throw UnknownName::of("column of $this->name", $column, $all);
            }
        }
    }

    /** @param list<string> $all in PostgreSQL as they are written, elsewhere in lower case: there case is none */
    private static function isOneOf(string $column, array $all): bool
    {
        return \in_array($column, $all, true) || \in_array(strtolower($column), $all, true)
            || (preg_match('/[\x80-\xFF]/', $column) === 1 && preg_match('//u', $column) === 1
                && (array) preg_grep('~^' . preg_quote($column, '~') . '$~iuD', $all) !== []);
    }
}
