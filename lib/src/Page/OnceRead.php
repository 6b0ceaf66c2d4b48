<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * The release that a process runs, which Pages reads once.
 *
 * Templates may be compiled below the release's id. If the id and the release of a page were read at two times, with a
 * deployment in between, a page of the old templates would be stored as one of the new release.
 *
 * @internal part of Site, for Pages: all Pages of one Site have the same release
 */
final class OnceRead
{
    private ?object $value = null;

    /** @return object|null null: it was not read yet */
    public function value(): ?object
    {
        return $this->value;
    }

    public function keep(?object $value): void
    {
        $this->value = $value;
    }

    public function forget(): void
    {
        $this->value = null;
    }
}
