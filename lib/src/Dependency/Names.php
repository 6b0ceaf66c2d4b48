<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Larder\Exception\UnknownName;

/** What may be named, the same in all processes: any word, or what a Registry declares. */
interface Names
{
    /**
     * A name as a caller wrote it, and what it says of data that has another name too.
     *
     * @return non-empty-list<Dependency>
     *
     * @throws UnknownName
     */
    public function named(string|Dependency $name): array;

    /**
     * What a read of these names depends on: the names, and `news!` for each of their tables.
     *
     * @param array<string|Dependency> $names
     *
     * @return list<Dependency> each once
     *
     * @throws UnknownName
     */
    public function reads(array $names): array;
}
