<?php

declare(strict_types=1);

namespace Larder\Follow;

/**
 * @internal One row as a database's log has it, before and after its change.
 *
 * The values are texts as the log prints them, by the number of the column, from 1, or by its name; false where the
 * log does not tell for certain. What a column that is not there says depends on the log.
 *
 * @phpstan-type Image array<int|string, string|false|null>
 */
final readonly class RowChange implements LogEvent
{
    /**
     * @param Image|null $before null: the row came, or the log does not tell
     * @param Image|null $after  null: the row went
     * @param bool       $came   whether there was no row before it
     */
    public function __construct(
        public string $schema,
        public string $table,
        public ?array $before,
        public ?array $after,
        public bool $came,
    ) {}
}
