<?php

declare(strict_types=1);

namespace Larder\Tests\Cache;

use Larder\Store;
use Larder\Store\OnServers;

/** A HookedStore for which a lease of this host may stand in. */
final class HookedServer extends HookedStore implements OnServers
{
    private readonly string $address;

    public function __construct(Store $store)
    {
        parent::__construct($store);
        $this->address = bin2hex(random_bytes(16));
    }

    public function address(): string
    {
        return $this->address;
    }
}
