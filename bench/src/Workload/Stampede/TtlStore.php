<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use Larder\Bench\Subject\Context;

/**
 * The calls of a store that applications write their own protection against stampedes with. Times are in seconds; a
 * store that knows whole seconds only rounds them up.
 */
interface TtlStore
{
    public function connect(Context $context): void;

    /** Returns null for a miss. */
    public function get(string $key): mixed;

    public function set(string $key, mixed $value, float $ttl): void;

    /** Returns false if the key has a value. */
    public function add(string $key, mixed $value, float $ttl): bool;

    /** A missing key is no error. */
    public function delete(string $key): void;
}
