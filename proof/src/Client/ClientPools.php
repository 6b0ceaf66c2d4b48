<?php

declare(strict_types=1);

namespace Larder\Proof\Client;

use Larder\Memcached;

/** The clients under test, on the servers behind the proxies. */
final readonly class ClientPools
{
    /** Milliseconds. */
    private const RETRY = 20;
    private const PATIENT = 5000;

    /** @param list<string> $proxies address of each */
    public function __construct(private array $proxies) {}

    /** @param int $timeout milliseconds */
    public function values(int $timeout): Memcached
    {
        return new Memcached($this->proxies, 'torture:', $timeout, self::RETRY);
    }

    /** @param int $timeout milliseconds */
    public function leases(int $timeout): Memcached
    {
        return new Memcached($this->proxies, 'lease:', $timeout, self::RETRY, shared: false);
    }

    /** For the last check, when the proxies make no more faults. */
    public function patient(): Memcached
    {
        return $this->values(self::PATIENT);
    }
}
