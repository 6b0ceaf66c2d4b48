<?php

declare(strict_types=1);

namespace Larder\Lease;

/** Elects one process to compute one missing result. Never needed for correctness. */
interface Leases
{
    /** Null: another process holds it. */
    public function acquire(string $name): ?Lease;
}
