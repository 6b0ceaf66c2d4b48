<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Answer;
use Larder\Exception\UnstorableValue;
use Larder\Store;

/**
 * What a TieredStore keeps in its near store: values with the far store's stamps.
 *
 * Nothing here can make a read wrong. An entry that is lost costs a fetch. An entry that replaced a newer one has a
 * stamp that the far store no longer confirms.
 *
 * An entry is the stamp, the version, the hrtime before the question that gave or confirmed it, and the value.
 *
 * @phpstan-type Entry array{string, int, int, mixed}
 *
 * @internal
 */
final readonly class NearValues
{
    /** For a shorter string the reply with the value takes no longer than the one with the version alone. */
    private const SHORTEST = 100;

    /** @param int $lag nanoseconds for which an entry is handed out unconfirmed */
    public function __construct(
        public Store $store,
        private int $lag,
    ) {}

    /** @return Entry|null */
    public function find(string $key): ?array
    {
        $entry = $this->store->get($key);

        return \is_array($entry) && isset($entry[0], $entry[1], $entry[2]) && \array_key_exists(3, $entry)
            && \is_string($entry[0]) && \is_int($entry[1]) && \is_int($entry[2])
                ? [$entry[0], $entry[1], $entry[2], $entry[3]]
                : null;
    }

    /**
     * The entry of a key, if it may be handed out unconfirmed.
     *
     * @return Entry|null
     */
    public function fresh(string $key): ?array
    {
        $entry = $this->lag === 0 ? null : $this->find($key);

        return $entry !== null && $this->isFresh($entry) ? $entry : null;
    }

    /** @param Entry $entry */
    public function isFresh(array $entry): bool
    {
        if ($this->lag === 0) {
            return false;
        }
        $age = hrtime(true) - $entry[2];

        // Less than 0: it was kept before this machine, and so its clock, was restarted.
        return $age >= 0 && $age <= $this->lag;
    }

    /**
     * Keeps what the far store answered, or drops what was kept of the key.
     *
     * @param int $since hrtime before the question was sent: the value was the present one at some time after it
     */
    public function keep(string $key, Answer $answer, ?string $stamp, int $since, bool $isThere): void
    {
        if ($stamp !== null && $answer->hit && !$answer->stale && self::isWorthIt($answer->value)) {
            $this->put($key, [$stamp, $answer->version, $since, $answer->value]);
        } elseif ($isThere) {
            $this->drop($key);
        }
    }

    /** @param Entry $entry */
    public function renew(string $key, array $entry, int $since): void
    {
        if ($this->lag > 0) {
            $entry[2] = $since;
            $this->put($key, $entry);
        }
    }

    public function drop(string ...$keys): void
    {
        $this->store->deleteMultiple(array_values($keys));
    }

    public function clear(): void
    {
        $this->store->clear();
    }

    /** @param Entry $entry */
    private function put(string $key, array $entry): void
    {
        try {
            $this->store->set($key, $entry);
        } catch (UnstorableValue) {
            // Only the far store can keep it.
        }
    }

    private static function isWorthIt(mixed $value): bool
    {
        return \is_string($value) ? \strlen($value) >= self::SHORTEST : $value !== null && !\is_scalar($value);
    }
}
