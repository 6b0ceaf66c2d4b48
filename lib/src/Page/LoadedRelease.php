<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * The release that this process runs: what the list said when it was first asked.
 *
 * Templates may be compiled below the release's id. If the id and the release of a page were read at two times, with a
 * deployment in between, a page of the old templates would be stored as one of the new release.
 *
 * @internal part of Site
 */
final class LoadedRelease
{
    private bool $isLoaded = false;

    private ?Release $release = null;

    /** @param string $list that `larder deploy` writes */
    public function __construct(private readonly string $list) {}

    public function get(): ?Release
    {
        if (!$this->isLoaded) {
            $this->release = Release::load($this->list);
            // Before the first deployment there is none, and no code of it.
            $this->isLoaded = $this->release !== null;
        }

        return $this->release;
    }

    /** The list was written by this process. */
    public function forget(): void
    {
        $this->isLoaded = false;
    }
}
