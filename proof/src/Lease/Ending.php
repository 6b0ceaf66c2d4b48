<?php

declare(strict_types=1);

namespace Larder\Proof\Lease;

/** How a value is to end. It is chosen before the value is made. */
enum Ending: string
{
    /** Its ttl ends, and the old value may be handed out meanwhile. */
    case Expire = 'expire';
    /** Its ttl ends, and nothing is left. */
    case ExpireCold = 'expire-cold';
    /** It is deleted in the store, without the cache. */
    case Evict = 'evict';
    /** It is deleted through the cache. */
    case Delete = 'delete';
    /** The key is deleted while the value is made, and its maker waits for that. */
    case DeleteMeanwhile = 'delete-meanwhile';
    /** The key is deleted at about the moment when it is stored. */
    case DeleteAround = 'delete-around';
    /** The process that makes it is killed, at any moment until shortly after it has stored it. */
    case Kill = 'kill';
    /** The process that makes it takes longer than its lease. */
    case Slow = 'slow';
    /** It stays, since the run is over. */
    case Keep = 'keep';

    /** Of 100. */
    private const WEIGHTS = [
        'expire' => 58,
        'expire-cold' => 9,
        'evict' => 8,
        'delete' => 5,
        'delete-meanwhile' => 4,
        'delete-around' => 5,
        'kill' => 8,
        'slow' => 3,
    ];

    public static function choose(): self
    {
        $dice = mt_rand(1, array_sum(self::WEIGHTS));
        foreach (self::WEIGHTS as $name => $weight) {
            $dice -= $weight;
            if ($dice <= 0) {
                return self::from($name);
            }
        }

        return self::Expire;
    }

    /** Seconds; null: the Disruptor ends it, and no ttl races with that. */
    public function ttl(): ?float
    {
        return match ($this) {
            self::Expire, self::Slow => mt_rand(200, 700) / 1000,
            self::ExpireCold => mt_rand(2100, 2600) / 1000,
            default => null,
        };
    }

    public function grace(): float
    {
        return $this === self::ExpireCold ? 0.0 : 60.0;
    }

    /** Whether other processes have to wait for the lease to end. */
    public function holdsUp(): bool
    {
        return $this === self::Kill || $this === self::Slow;
    }

    /** The nearest one for which nobody has to wait. */
    public function swift(): self
    {
        return match ($this) {
            self::Kill => self::Evict,
            self::Slow => self::Expire,
            default => $this,
        };
    }
}
