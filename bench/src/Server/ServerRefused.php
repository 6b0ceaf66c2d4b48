<?php

declare(strict_types=1);

namespace Larder\Bench\Server;

use InvalidArgumentException;

/** A server that somebody named and that the bench does not go near. */
final class ServerRefused extends InvalidArgumentException
{
    public static function because(string $option, string $reason): self
    {
        return new self(\sprintf(
            '--server=%s: %s. Allowed are memcached, redis and mariadb on this machine: KIND=127.0.0.1:PORT, '
                . 'KIND=localhost:PORT, KIND=[::1]:PORT or KIND=unix:/PATH.',
            $option,
            $reason,
        ));
    }
}
