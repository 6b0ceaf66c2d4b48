<?php

declare(strict_types=1);

namespace Larder\Page\Attribute;

use Attribute;

/** Opts a controller in: its pages may be stored, and they read no tables but these. */
#[Attribute(Attribute::TARGET_CLASS)]
final readonly class Reads
{
    /** @var list<string> */
    public array $tables;

    public function __construct(string ...$tables)
    {
        $this->tables = array_values($tables);
    }
}
