<?php

declare(strict_types=1);

namespace Larder\Exception;

use LogicException;

/** Sessions are data: a store or a moment that would lose them is refused before the first one is begun. */
final class SessionsNotKept extends LogicException implements LarderException
{
    public static function byEviction(): self
    {
        return new self(
            'Shared memory drops sessions when it is full, and with them logins and carts. Keep them on a memcached '
                . 'of their own, started with -M, or on Redis; or say mayEvict: true if they may be lost.',
        );
    }

    public static function byRestart(): self
    {
        return new self(
            'This store keeps nothing over a restart or a failover of Redis, since its values may be older then than '
                . 'they were: each would log everybody out. Say RedisStore::on(…, survives: true).',
        );
    }

    public static function byNullStore(): self
    {
        return new self(
            'This store keeps nothing, so no session would last. It stands in for one whose extension is not loaded, '
                . 'or whose memory is missing: the log says which.',
        );
    }

    public static function byStart(): self
    {
        return new self(
            'PHP took no session handler: a session is active already, or output was sent. Register it before both.',
        );
    }
}
