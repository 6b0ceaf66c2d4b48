<?php

declare(strict_types=1);

namespace Larder\Proof\Sessions;

use Larder\Answer;
use Larder\Proof\ForwardingStore;

/** Its leases outlast a run, as a lock without an end does. */
final class UnendingStore extends ForwardingStore
{
    private const SECONDS = 3600.0;

    public function getOrLease(string $key, float $seconds = 10.0): Answer
    {
        return parent::getOrLease($key, self::SECONDS);
    }
}
