<?php

declare(strict_types=1);

namespace Larder\Store;

use Closure;
use Redis;
use RedisException;

/**
 * By the PHP extension redis (phpredis).
 *
 * Requests go by rawCommand(), which ignores the prefix and the serializer that an application may have set.
 *
 * @internal
 */
final class RedisByExtension implements RedisConnection
{
    /** PHP waits in whole milliseconds, rounded down; in nanoseconds. */
    private const EARLY = 2_000_000;

    private ?Redis $redis = null;

    /**
     * @param Closure(float): Redis $connect is given the seconds that connecting may take; may throw a RedisException
     */
    private function __construct(private readonly Closure $connect, private readonly bool $isOurs) {}

    public static function to(RedisAddress $address): self
    {
        return new self(static function (float $seconds) use ($address): Redis {
            $redis = new Redis();
            $host = ($address->isTls ? 'tls://' : '') . $address->host;
            error_clear_last();
            if (!@$redis->connect($host, $address->port, $seconds, null, 0, $seconds)) {
                throw new RedisException(error_get_last()['message'] ?? 'it was refused');
            }
            // phpredis would reconnect by itself, ten times, each with our whole deadline.
            $redis->setOption(Redis::OPT_MAX_RETRIES, 0);

            return $redis;
        }, true);
    }

    /** A client of the application, with its own timeouts; after close() it connects again by itself. */
    public static function with(Redis $redis): self
    {
        return new self(static fn(): Redis => $redis, false);
    }

    public function open(int $until): void
    {
        try {
            $this->redis = ($this->connect)(self::left($until));
        } catch (RedisException $exception) {
            throw RedisFailure::unreachable($exception);
        }
    }

    public function isOpen(): bool
    {
        return $this->redis !== null;
    }

    public function ask(array $command, int $until): mixed
    {
        $redis = $this->redis ?? throw RedisFailure::down();
        if ($redis->getMode() !== Redis::ATOMIC) {
            throw RedisFailure::busy();
        }
        if ($this->isOurs) {
            // This bounds each wait for bytes: a server that sends one now and then can hold a call for longer.
            $redis->setOption(Redis::OPT_READ_TIMEOUT, self::left($until));
        }
        $redis->clearLastError();
        try {
            $reply = @$redis->rawcommand(...$command);
        } catch (RedisException $exception) {
            throw $this->failure($exception, $until);
        }
        if ($reply !== false) {
            return $reply;
        }
        $error = $redis->getLastError() ?? throw RedisFailure::closed();

        return str_starts_with($error, 'NOSCRIPT') ? 'NOSCRIPT' : throw RedisFailure::reply($error);
    }

    public function close(): void
    {
        try {
            @$this->redis?->close();
        } catch (RedisException) {
            // It is closed already.
        }
        $this->redis = null;
    }

    /** Seconds until the deadline; never 0, which would be without end. */
    private static function left(int $until): float
    {
        return max(0.001, ($until - hrtime(true)) / 1e9);
    }

    /** phpredis has one exception class for all failures, and only the message says which it is. */
    private function failure(RedisException $exception, int $until): RedisFailure
    {
        $message = $exception->getMessage();

        return match (true) {
            preg_match('/^[A-Z]{3,} /', $message) === 1 => RedisFailure::reply($message),
            // phpredis says this of a timeout, and of a connection that was closed in the middle of a value.
            str_contains($message, 'read error'),
            str_contains($message, 'socket error') => !$this->isOurs || hrtime(true) >= $until - self::EARLY
                ? RedisFailure::timedOut($exception)
                : RedisFailure::closed($exception),
            str_contains($message, 'protocol error') => RedisFailure::outOfStep($exception),
            str_contains($message, 'went away'),
            str_contains($message, 'refused'),
            str_contains($message, 'No such file') => RedisFailure::unreachable($exception),
            default => RedisFailure::closed($exception),
        };
    }
}
