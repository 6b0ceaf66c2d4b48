<?php

declare(strict_types=1);

namespace Larder\Discovery;

use Larder\Exception\InvalidServer;
use Larder\Exception\NoServersFound;
use Larder\Metrics\SparingLogger;
use Larder\Store;
use Larder\SystemClock;
use Psr\Clock\ClockInterface;
use Psr\Log\LoggerInterface;

/**
 * Keeps the answer of another discovery for all processes and requests that have the same store, such as that of
 * Larder\Store\SharedMemoryStore.
 *
 * When the time is over one process asks again, and the others use the old list meanwhile. When the source fails, the
 * last good list stays in force, and the source is asked again soon.
 */
final readonly class CachedDiscovery implements Discovery
{
    /** Seconds until a source that failed is asked again, and for which one process may take to ask. */
    private const SOON = 5.0;

    public function __construct(
        private Discovery $source,
        private Store $store,
        private float $seconds = 60.0,
        private string $key = 'larder.servers',
        private ?LoggerInterface $log = null,
        private ClockInterface $clock = new SystemClock(),
    ) {}

    public function servers(): array
    {
        $now = (float) $this->clock->now()->format('U.u');
        [$kept, $until] = $this->kept();
        // A clock that was set back must not keep a list for ever.
        if ($kept !== null && $now < $until && $until <= $now + max($this->seconds, self::SOON)) {
            return $kept;
        }
        $lease = $this->store->lease($this->key, self::SOON);
        if ($kept !== null && ($lease === null || $lease === 0)) {
            return $kept;
        }
        try {
            $servers = $this->source->servers();
            $until = $now + $this->seconds;
        } catch (NoServersFound|InvalidServer $failure) {
            if ($kept === null) {
                if ($lease !== null) {
                    $this->store->release($this->key, $lease);
                }
                throw $failure;
            }
            ($this->log ?? new SparingLogger())->error(
                'The list of memcached servers stays as it was. {reason}',
                ['reason' => $failure->getMessage(), 'exception' => $failure],
            );
            $servers = $kept;
            $until = $now + min(self::SOON, $this->seconds);
        }
        // A process without the lease asked for itself only; the holder keeps the list.
        if ($lease !== null) {
            $this->store->set($this->key, ['servers' => $servers, 'until' => $until], lease: $lease);
        }

        return $servers;
    }

    /** @return array{non-empty-array<string, int<1, 1000>>|null, float} the list and its end */
    private function kept(): array
    {
        $value = $this->store->get($this->key);
        if (!\is_array($value) || !\is_array($value['servers'] ?? null) || !\is_float($value['until'] ?? null)) {
            return [null, 0.0];
        }
        $list = new ServerList();
        try {
            foreach ($value['servers'] as $server => $weight) {
                $list->add((string) $server, \is_int($weight) ? $weight : 0);
            }

            return [$list->all(), $value['until']];
        } catch (InvalidServer) {
            // Another program uses this key.
            return [null, 0.0];
        }
    }
}
