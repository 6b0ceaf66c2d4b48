<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

use Closure;

/** Values that name what they were made from, so that they are gone when that changes. */
interface Tagged extends Subject
{
    /**
     * The value; made, and kept with its tags, where there is none.
     *
     * @param Closure(): mixed $compute
     * @param list<int>    $tags
     */
    public function tagged(string $key, Closure $compute, array $tags): mixed;

    /** Takes a value away, whatever it is tagged with. */
    public function forget(string $key): void;

    /**
     * Changes the data. When it returns, no value that was made before with one of these tags is handed out.
     *
     * @param non-empty-list<int> $tags
     * @param Closure(): void     $write
     */
    public function change(array $tags, Closure $write): void;
}
