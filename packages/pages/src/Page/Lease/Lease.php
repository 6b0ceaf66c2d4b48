<?php

declare(strict_types=1);

namespace Larder\Page\Lease;

/**
 * The right to compute one result. Ends at release(), at its deadline, or when its process ends, however it ends.
 *
 * @internal
 */
interface Lease
{
    public function release(): void;
}
