<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Memcached;

use Memcached;

/** What of ext-memcached is set that is not so by itself. The constants are looked up late: the extension may be absent. */
enum Settings
{
    /** `new Memcached` and `addServers`, and no more. */
    case Defaults;

    /** What its users find out to be better, one by one. */
    case Tuned;

    /** The binary protocol and nothing else, as many guides have it. */
    case Binary;

    /** @return array<int, int|bool> */
    public function options(float $timeout): array
    {
        return match ($this) {
            self::Defaults => [],
            self::Binary => [Memcached::OPT_BINARY_PROTOCOL => true],
            self::Tuned => [
                Memcached::OPT_BINARY_PROTOCOL => false,
                Memcached::OPT_TCP_NODELAY => true,
                Memcached::OPT_NO_BLOCK => true,
                Memcached::OPT_COMPRESSION => false,
                Memcached::OPT_LIBKETAMA_COMPATIBLE => true,
                Memcached::OPT_CONNECT_TIMEOUT => (int) ($timeout * 1e3),
                Memcached::OPT_POLL_TIMEOUT => (int) ($timeout * 1e3),
                Memcached::OPT_SEND_TIMEOUT => (int) ($timeout * 1e6),
                Memcached::OPT_RECV_TIMEOUT => (int) ($timeout * 1e6),
            ],
        };
    }
}
