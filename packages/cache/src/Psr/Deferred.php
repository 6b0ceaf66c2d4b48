<?php

declare(strict_types=1);

namespace Larder\Psr;

use Larder\Exception\UnstorableValue;
use Larder\Store\Storable;
use Larder\Store\StoredBytes;
use Throwable;

/**
 * An item that waits for commit(), with the value that it had at saveDeferred(): what the caller does to an object
 * afterwards must not be stored.
 *
 * @internal
 */
final readonly class Deferred
{
    /** The copy that is stored. */
    public mixed $value;

    private string $serialized;

    /**
     * @param float|null $end Unix time; null: the pool's default
     *
     * @throws UnstorableValue
     * @throws Throwable       what an object in it throws
     */
    public function __construct(mixed $value, public ?float $end)
    {
        $this->serialized = Storable::serialized($value);
        $copy = $this->copy();
        $this->value = $copy->flaw === null
            ? $copy->value
            : throw new UnstorableValue('$value could not be read again: it ' . $copy->sentence());
    }

    /** Another copy, for a caller that asks for the item before it is stored; its class may have changed its mind. */
    public function copy(): StoredBytes
    {
        return StoredBytes::read($this->serialized);
    }

    public function isOver(float $now): bool
    {
        return $this->end !== null && $this->end <= $now;
    }
}
