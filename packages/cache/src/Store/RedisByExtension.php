<?php

declare(strict_types=1);

namespace Larder\Store;

use Exception;
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

    /** Whether the connection is the store's own, and so neither reopened nor used by anybody else. */
    private bool $isOurs = true;

    /**
     * @param RedisPlace|null $place where to connect to; null: not known yet
     * @param Redis|null      $given by the application
     */
    private function __construct(private ?RedisPlace $place, private readonly ?Redis $given = null) {}

    public static function to(RedisAddress $address): self
    {
        return new self(new RedisPlace(($address->isTls ? 'tls://' : '') . $address->host, $address->port));
    }

    /** A client of the application, with its own timeouts; after close() it connects again by itself. */
    public static function with(Redis $redis): self
    {
        return new self(null, $redis);
    }

    public function open(int $until): void
    {
        try {
            // phpredis never connects again by itself after a try that failed.
            $present = $this->given === null ? null : @RedisPlace::of($this->given);
            $this->place = $present ?? $this->place
                ?? throw new RedisException('the application\'s client is not connected: call its connect()');
            $this->isOurs = $present === null;
            if ($this->isOurs) {
                $this->redis = $this->place->connect(self::left($until));
            } else {
                $this->redis = $this->given;
                // phpredis 5.3 forgets the database when close() was called.
                $this->place->enter($this->redis);
            }
        } catch (Exception $exception) {
            throw RedisFailure::unreachable($exception);
        }
    }

    public function isOpen(): bool
    {
        return $this->redis !== null;
    }

    public function mark(): ?object
    {
        return $this->isOurs ? $this->redis : null;
    }

    public function ask(array $command, int $until): mixed
    {
        $redis = $this->redis ?? throw RedisFailure::down();
        try {
            if ($this->isOurs) {
                // This bounds each wait for bytes: a server that sends one now and then can hold a call for longer.
                $redis->setOption(Redis::OPT_READ_TIMEOUT, self::left($until));
            } elseif ($redis->getMode() !== Redis::ATOMIC) {
                throw RedisFailure::busy();
            } elseif ($this->place?->isIn($redis->getDBNum()) === false) {
                throw RedisFailure::elsewhere();
            }
            $redis->clearLastError();
            $reply = @$redis->rawcommand(...$command);
            $error = $reply === false ? $redis->getLastError() ?? throw RedisFailure::closed() : '';
        } catch (RedisFailure $failure) {
            throw $failure;
        } catch (Exception $exception) {
            throw $this->failure($exception, $until);
        }
        if ($reply !== false) {
            return $reply;
        }

        return str_starts_with($error, 'NOSCRIPT') ? 'NOSCRIPT' : throw RedisFailure::reply($error);
    }

    public function close(): void
    {
        try {
            @$this->redis?->close();
        } catch (Exception) {
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
    private function failure(Exception $exception, int $until): RedisFailure
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
