<?php

declare(strict_types=1);

namespace Larder\Sql\Reading;

/** @internal What stands in a FROM clause. */
final readonly class Source
{
    /**
     * @param string|null    $table   lower case; it may be a common table; null: a subquery or a function
     * @param string         $name    under which its columns are known there, lower case; '': none
     * @param list<Equality> $matches that the ON of its LEFT JOIN demands. They narrow this source and no other one:
     *     the rows before it stay, with NULLs, where none matches.
     */
    public function __construct(
        public ?string $table,
        public string $name,
        public array $matches = [],
    ) {}
}
