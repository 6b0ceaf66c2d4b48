<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede\Mode;

use Larder\Bench\Subject\Context;

/** The few calls of a store that what applications build against stampedes is built of. Seconds throughout, rounded up where need be. */
interface Shelf
{
    public function connect(Context $context): void;

    /** Null: not there. */
    public function get(string $key): mixed;

    public function set(string $key, mixed $value, float $ttl): void;

    /** False: there is one already. */
    public function add(string $key, mixed $value, float $ttl): bool;

    /** No matter whether it was there. */
    public function delete(string $key): void;
}
