<?php

declare(strict_types=1);

namespace Larder\Sql\Reading;

/** @internal One SELECT, without what it is compounded with: its sources, and what is true of all that it finds. */
final readonly class Select
{
    /**
     * @param list<Source>   $sources
     * @param list<Equality> $equalities of WHERE, and of the ON of inner joins
     */
    public function __construct(
        public array $sources,
        public array $equalities,
    ) {}

    /**
     * The position of the source that has the column.
     *
     * Without a name before it, it could be one of any source, or one of a query around this one. So it is certain only
     * where there is one source, and that source has such a column, or where the columns of all are known.
     *
     * @param list<list<string>|null> $columns of each source, in lower case; null: not known
     *
     * @return int|null null: not certain
     */
    public function sourceOf(Column $column, array $columns): ?int
    {
        if ($column->source !== null) {
            $found = array_keys(array_column($this->sources, 'name'), $column->source, true);
        } elseif (\count($this->sources) === 1) {
            $found = [0];
        } else {
            $found = [];
            foreach ($columns as $source => $names) {
                if ($names === null) {
                    return null;
                }
                if (\in_array($column->name, $names, true)) {
                    $found[] = $source;
                }
            }
        }

        return \count($found) === 1 ? $found[0] : null;
    }
}
