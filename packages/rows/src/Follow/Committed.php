<?php

declare(strict_types=1);

namespace Larder\Follow;

/** @internal A transaction is over: everything before belongs to it. */
final readonly class Committed implements LogEvent
{
    /** @param string $transaction that the barrier is asked for: on MariaDB empty, on PostgreSQL its number */
    public function __construct(public Position $position, public string $transaction = '') {}
}
