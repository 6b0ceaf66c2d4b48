<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Page\Lease\Lease;

/**
 * The right to make a page: a stub at its key, which ends with the page, at release() or by itself.
 *
 * @internal part of MemcachedPageStore
 */
final readonly class StubLease implements Lease
{
    /** @param Closure(): mixed $release deletes the stub, if it is still this one */
    public function __construct(private Closure $release) {}

    public function release(): void
    {
        ($this->release)();
    }
}
