<?php

declare(strict_types=1);

namespace Larder\Dependency\Sql;

/** @internal `column = constant`, `column IN (constants)` or `column = column`. It is never true of NULL. */
final readonly class Equality
{
    /** @param Column|non-empty-list<Constant> $to one of these */
    public function __construct(
        public Column $column,
        public Column|array $to,
    ) {}
}
