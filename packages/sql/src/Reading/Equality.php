<?php

declare(strict_types=1);

namespace Larder\Sql\Reading;

/** @internal `column = constant`, `column IN (constants)` or `column = column`. It is never true of NULL. */
final readonly class Equality
{
    /**
     * @param Column|non-empty-list<Constant> $to      one of these
     * @param int                             $sources how many of the FROM clause it may speak of: SQLite lets an ON
     *     name one that stands behind it, and then it says something else
     * @param int                             $first   the first source it may speak of: elsewhere a comma ends what an
     *     ON sees
     */
    public function __construct(
        public Column $column,
        public Column|array $to,
        public int $sources = PHP_INT_MAX,
        public int $first = 0,
    ) {}
}
