<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Metrics\Counters;
use Larder\Metrics\NullCounters;
use Larder\Store\RedisStore;
use LogicException;
use Predis\Client;
use Psr\Log\LoggerInterface;
use Redis;

/** A way to have a store on a Redis: by a client of its own, or of the application. */
final readonly class GoingBack
{
    /** @param 'phpredis'|'predis' $client */
    public function __construct(private string $client, private bool $isGiven) {}

    public function open(
        RedisServers $servers,
        int $number = 0,
        string $namespace = 'site',
        ?LoggerInterface $log = null,
        Counters $counters = new NullCounters(),
        bool $survives = false,
    ): RedisStore {
        if (!$this->isGiven) {
            $store = RedisStore::on(
                $servers->addresses()[$number],
                $namespace,
                $log,
                5000,
                1,
                $counters,
                $this->client,
                survives: $survives,
            );

            return $store instanceof RedisStore ? $store : throw new LogicException('It has no client');
        }
        if ($this->client === 'predis') {
            $redis = new Client(['port' => $servers->port($number)]);
        } else {
            $redis = new Redis();
            $redis->connect('127.0.0.1', $servers->port($number));
        }

        return RedisStore::with(['here:1' => $redis], $namespace, $log, 5000, 1, $counters, survives: $survives);
    }
}
