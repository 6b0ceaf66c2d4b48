<?php

declare(strict_types=1);

namespace Larder\Discovery;

use Larder\Exception\InvalidServer;
use Larder\Exception\NoServersFound;
use Larder\Store;
use Larder\SystemClock;
use Psr\Clock\ClockInterface;
use Psr\Log\LoggerInterface;

/**
 * Keeps what another discovery said, for all processes and requests that have the same store:
 * Larder\Store\SharedMemoryStore, say.
 *
 * One process asks when the time is over, and the others go on with what is kept meanwhile. When the source fails, the
 * last good list stays in force, and is asked for again soon.
 */
final readonly class CachedDiscovery implements Discovery
{
    /** Seconds until a source that failed is asked again, and that one process may take to ask. */
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
        // A clock that was set back must not make a list eternal.
        if ($kept !== null && $now < $until && $until <= $now + max($this->seconds, self::SOON)) {
            return $kept;
        }
        $lease = $this->store->lease($this->key, self::SOON);
        if ($kept !== null && $lease === null) {
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
            $this->log?->error(
                'The list of memcached servers stays as it was. {reason}',
                ['reason' => $failure->getMessage(), 'exception' => $failure],
            );
            $servers = $kept;
            $until = $now + min(self::SOON, $this->seconds);
        }
        // Whoever has no lease asked only for himself: the one who has it keeps the list.
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
            // Not ours: somebody else uses this key.
            return [null, 0.0];
        }
    }
}
