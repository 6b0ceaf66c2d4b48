<?php

declare(strict_types=1);

namespace Larder\Store;

use Redis;
use RedisException;

/**
 * Where a client of phpredis is connected, as another one can be.
 *
 * @internal
 */
final readonly class RedisPlace
{
    /** @param list<string> $account user and password, or the password alone */
    public function __construct(
        private string $host,
        private int $port,
        private array $account = [],
        private int $database = 0,
    ) {}

    /** Null: the client is not connected, and does not connect by itself. */
    public static function of(Redis $redis): ?self
    {
        // It connects again here if it was closed, by the application or by us.
        $host = $redis->getHost();
        if (!$redis->isConnected()) {
            return null;
        }
        $account = array_filter((array) $redis->getAuth(), \is_string(...));

        return new self($host, max(0, $redis->getPort()), array_values($account), $redis->getDBNum());
    }

    /** @param int|false $database false: the client cannot say */
    public function isIn(int|false $database): bool
    {
        return $database === false || $database === $this->database;
    }

    /**
     * @param float $seconds that it may take
     *
     * @throws RedisException
     */
    public function connect(float $seconds): Redis
    {
        $redis = new Redis();
        error_clear_last();
        if (!@$redis->connect($this->host, $this->port, $seconds, null, 0, $seconds)) {
            throw new RedisException(error_get_last()['message'] ?? 'it was refused');
        }
        // phpredis would reconnect by itself, ten times, each with our whole deadline.
        $redis->setOption(Redis::OPT_MAX_RETRIES, 0);
        if ($this->account !== []) {
            $isIn = $redis->auth(\count($this->account) === 1 ? $this->account[0] : $this->account);
            if ($isIn === false) {
                throw new RedisException('the user or the password is wrong: ' . $redis->getLastError());
            }
        }
        $this->enter($redis);

        return $redis;
    }

    /** @throws RedisException */
    public function enter(?Redis $redis): void
    {
        if ($this->database !== 0 && $redis?->select($this->database) === false) {
            throw new RedisException('its database could not be selected: ' . $redis->getLastError());
        }
    }
}
