<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Larder\Exception\UnknownName;

/** What may be named, the same in all processes: any word, or what a Registry declares. */
interface Names
{
    /**
     * @internal A name as a caller wrote it, and what it says of data that has another name too.
     *
     * @return non-empty-list<Name>
     *
     * @throws UnknownName
     */
    public function named(string|Name $name): array;

    /**
     * @internal What a read of these names depends on: the names, and `news!` for each of their tables.
     *
     * @param array<string|Name> $names
     *
     * @return list<Name> each once
     *
     * @throws UnknownName
     */
    public function reads(array $names): array;
}
