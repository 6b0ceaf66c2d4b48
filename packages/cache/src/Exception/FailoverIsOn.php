<?php

declare(strict_types=1);

namespace Larder\Exception;

use LogicException;

/** With failover a key is also taken from a server that missed its last change. */
final class FailoverIsOn extends LogicException implements LarderException
{
    public static function ofMemcached(): self
    {
        return new self(
            'With failover a value can be found that is older than a change: construct Larder\Memcached with '
                . 'failover: \'none\' for a store',
        );
    }
}
