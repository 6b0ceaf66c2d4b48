<?php

declare(strict_types=1);

namespace Larder\Psr;

use Larder\Cache;
use Larder\Exception\UnstorableValue;
use Larder\Metrics\SparingLogger;
use Psr\Log\LoggerInterface;
use Throwable;

/**
 * A cache with the behaviour that both standards want: a value is there until its ttl is over and not longer, so there
 * is no grace, and no other exceptions are thrown than theirs.
 *
 * @internal
 */
final readonly class Values
{
    public function __construct(
        private Cache $cache,
        private ?LoggerInterface $log,
    ) {}

    /**
     * @param list<string> $keys
     *
     * @return array<array-key, mixed> those that are there, by key
     */
    public function find(array $keys): array
    {
        if ($keys === []) {
            return [];
        }
        try {
            return $this->cache->fresh($keys);
        } catch (Throwable $exception) {
            // For Larder's stores a value that cannot be read is a miss; another one may throw. The other keys are not
            // affected.
            if (\count($keys) > 1) {
                return array_replace(...array_map(fn(string $key): array => $this->find([$key]), $keys));
            }
            $this->failed('read', $keys, $exception);
        }

        return [];
    }

    /**
     * @param array<array-key, mixed>      $values by key
     * @param array<array-key, float|null> $ttls   seconds, by key; null: the cache's default; 0 or less: it is deleted
     *
     * @return bool false: not all of them were stored
     *
     * @throws UnstorableValue the others were stored
     */
    public function store(array $values, array $ttls): bool
    {
        $limit = static fn(?float $ttl): ?float => $ttl === null ? null : Time::limit($ttl);
        try {
            return !\in_array(false, $this->cache->setMultiple($values, array_map($limit, $ttls), 0.0), true);
        } catch (UnstorableValue $exception) {
            throw $exception;
        } catch (Throwable $exception) {
            // An object in one of them threw it. The other values are not affected.
            if (\count($values) > 1) {
                $each = array_map(
                    fn(int|string $key): bool => $this->store([$key => $values[$key]], [$key => $ttls[$key] ?? null]),
                    array_keys($values),
                );

                return !\in_array(false, $each, true);
            }
            $this->failed('stored', array_map(strval(...), array_keys($values)), $exception);

            return false;
        }
    }

    /**
     * @param list<string> $keys
     *
     * @return bool false: some may still be there
     */
    public function delete(array $keys): bool
    {
        return !\in_array(false, $this->cache->deleteMultiple($keys), true);
    }

    public function clear(): bool
    {
        return $this->cache->clear();
    }

    /** @param list<string> $keys */
    public function failed(string $what, array $keys, Throwable $exception): void
    {
        ($this->log ?? new SparingLogger())->warning('The value of {keys} was not {what}: {reason}', [
            'keys' => implode(', ', $keys),
            'what' => $what,
            'reason' => $exception->getMessage(),
            'exception' => $exception,
        ]);
    }
}
