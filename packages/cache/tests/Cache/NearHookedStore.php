<?php

declare(strict_types=1);

namespace Larder\Tests\Cache;

use Larder\NearStore;

/** The same around a near store, as a class of a user may forward to one. */
final class NearHookedStore extends HookedStore implements NearStore
{
    public function __construct(private readonly NearStore $near)
    {
        parent::__construct($near);
    }

    public function fresh(string $key, bool $stamped = false): mixed
    {
        $this->hook('fresh', $key);

        return $this->near->fresh($key, $stamped);
    }
}
