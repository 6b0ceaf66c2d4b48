<?php

declare(strict_types=1);

namespace Larder\Store\Net;

use RuntimeException;

/**
 * A server gave no answer. Who asked says so in its own words.
 *
 * @internal
 */
final class ConnectionFailed extends RuntimeException
{
    public function __construct(
        public readonly Fault $fault,
        public readonly string $reason = '',
    ) {
        parent::__construct($reason === '' ? $fault->name : $reason);
    }
}
