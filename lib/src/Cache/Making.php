<?php

declare(strict_types=1);

namespace Larder\Cache;

/**
 * One key whose value this process makes.
 *
 * @internal
 */
final class Making
{
    /**
     * @param int|null $lease  null: it is not to be stored, or was stored, or the lease is lost
     * @param bool     $hasOld whether others are handed out an old value meanwhile
     */
    public function __construct(
        public readonly string $key,
        public readonly string $item,
        public ?int $lease,
        public readonly bool $hasOld = false,
    ) {}

    public function event(): Event
    {
        return $this->hasOld ? Event::Refresh : Event::Miss;
    }
}
