<?php

declare(strict_types=1);

namespace Larder\Page\Lease;

use Closure;

/**
 * The right to compute one result. Ends at release(), at its deadline, or when its process ends, however it ends.
 *
 * @internal
 */
final class Lease
{
    /** @param (Closure(): mixed)|null $end gives it back; null: there is nothing to give back */
    public function __construct(private ?Closure $end) {}

    public function release(): void
    {
        [$end, $this->end] = [$this->end, null];
        if ($end !== null) {
            $end();
        }
    }
}
