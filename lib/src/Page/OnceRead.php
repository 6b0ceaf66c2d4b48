<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;

/**
 * The release that a process runs, which is read once.
 *
 * Templates may be compiled below the release's id. If the id and the release of a page were read at two times, with a
 * deployment in between, a page of the old templates would be stored as one of the new release.
 *
 * @internal part of Site, for Pages
 */
final class OnceRead
{
    private ?object $value = null;

    /**
     * @template T of object
     *
     * @param class-string<T>       $class
     * @param Closure(): (T|null) $read null: there is none yet, and it is read again
     *
     * @return T|null
     */
    public function get(string $class, Closure $read): ?object
    {
        $this->value ??= $read();

        return $this->value instanceof $class ? $this->value : null;
    }

    public function forget(): void
    {
        $this->value = null;
    }
}
