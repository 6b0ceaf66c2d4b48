<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

/** A random SELECT. */
final readonly class Read
{
    /**
     * @param bool $isArbitrary whether an index decides which of several equal values it returns
     * @param array{table: string, column: string, value: int|string}|null $equality
     *     if its only condition is `column = value`, with a value of the column's own type
     */
    public function __construct(
        public Query $query,
        public bool $isArbitrary = false,
        public ?array $equality = null,
    ) {}
}
