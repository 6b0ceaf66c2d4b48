<?php

declare(strict_types=1);

namespace Larder\Sql\Reading;

/** @internal A column as it is written, in lower case: `n.id` or `id`. */
final readonly class Column
{
    public function __construct(
        public string $name,
        public ?string $source = null,
    ) {}
}
