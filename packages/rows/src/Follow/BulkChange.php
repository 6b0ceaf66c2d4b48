<?php

declare(strict_types=1);

namespace Larder\Follow;

/** @internal Rows of a table changed, and the log does not say which; or anything may have changed. */
final readonly class BulkChange implements LogEvent
{
    private function __construct(
        public string $why,
        public ?string $schema,
        public ?string $table,
    ) {}

    public static function ofTable(string $schema, string $table, string $why): self
    {
        return new self($why, $schema, $table);
    }

    /** Anything may have changed, the schema too. */
    public static function ofAll(string $why): self
    {
        return new self($why, null, null);
    }
}
