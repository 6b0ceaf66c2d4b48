<?php

/** @generate-class-entries */

/**
 * The names of php-memcache 8.2, over Larder's client. Parameters are called what they are called there, also where
 * that is no word: reflection and named arguments see it.
 */

/**
 * The value is to be compressed whatever its size, where that saves enough.
 *
 * @var int
 */
const MEMCACHE_COMPRESSED = 2;
/**
 * Bits of the flags that are the application's.
 *
 * @var int
 */
const MEMCACHE_USER1 = 0x10000;
/** @var int */
const MEMCACHE_USER2 = 0x20000;
/** @var int */
const MEMCACHE_USER3 = 0x40000;
/** @var int */
const MEMCACHE_USER4 = 0x80000;
/** @var int */
const MEMCACHE_HAVE_SESSION = 1;

/**
 * @param string $host
 * @param int $port
 * @param float $timeout
 * @param mixed $unused4
 * @param mixed $unused5
 * @param mixed $unused6
 * @param mixed $unused7
 * @param mixed $unugsed8
 * @return Memcache|bool
 */
function memcache_connect(
    $host, $port = UNKNOWN, $timeout = UNKNOWN, $unused4 = UNKNOWN, $unused5 = UNKNOWN, $unused6 = UNKNOWN, $unused7 =
    UNKNOWN, $unugsed8 = UNKNOWN
) {}

/**
 * @param string $host
 * @param int $port
 * @param float $timeout
 * @param mixed $unused4
 * @param mixed $unused5
 * @param mixed $unused6
 * @param mixed $unused7
 * @param mixed $unugsed8
 * @return Memcache|bool
 */
function memcache_pconnect(
    $host, $port = UNKNOWN, $timeout = UNKNOWN, $unused4 = UNKNOWN, $unused5 = UNKNOWN, $unused6 = UNKNOWN, $unused7 =
    UNKNOWN, $unugsed8 = UNKNOWN
) {}

/**
 * @param string $host
 * @param int $port
 * @param int $tcp_port
 * @param bool $persistent
 * @param int $weight
 * @param float $timeout
 * @param int $retry_interval
 * @param bool $status
 * @param callable|null $failure_callback
 */
function memcache_add_server(
    MemcachePool $memcache, $host, $port = UNKNOWN, $tcp_port = UNKNOWN, $persistent = UNKNOWN, $weight = UNKNOWN,
    $timeout = UNKNOWN, $retry_interval = UNKNOWN, $status = UNKNOWN, $failure_callback = UNKNOWN
): bool {}

/** @param callable|null $failure_callback */
function memcache_set_server_params(
    MemcachePool $memcache, string $host, int $tcp_port = UNKNOWN, float $timeout = UNKNOWN, int $retry_interval =
    UNKNOWN, bool $status = UNKNOWN, $failure_callback = UNKNOWN
): bool {}

function memcache_set_failure_callback(MemcachePool $memcache, ?callable $failure_callback): bool {}

function memcache_get_server_status(MemcachePool $memcache, string $host, int $tcp_port = UNKNOWN): int|bool {}

function memcache_get_version(MemcachePool $memcache): string|bool {}

function memcache_add(
    MemcachePool $memcache, array|string $key, mixed $value = UNKNOWN, int $flags = UNKNOWN, int $exptime = UNKNOWN,
    int $cas = UNKNOWN
): bool {}

function memcache_set(
    MemcachePool $memcache, array|string $key, mixed $value = UNKNOWN, int $flags = UNKNOWN, int $exptime = UNKNOWN,
    int $cas = UNKNOWN
): bool {}

function memcache_replace(
    MemcachePool $memcache, array|string $key, mixed $value = UNKNOWN, int $flags = UNKNOWN, int $exptime = UNKNOWN,
    int $cas = UNKNOWN
): bool {}

function memcache_cas(
    MemcachePool $memcache, array|string $key, mixed $value = UNKNOWN, int $flags = UNKNOWN, int $exptime = UNKNOWN,
    int $cas = UNKNOWN
): bool {}

function memcache_append(
    MemcachePool $memcache, array|string $key, mixed $value = UNKNOWN, int $flags = UNKNOWN, int $exptime = UNKNOWN,
    int $cas = UNKNOWN
): bool {}

function memcache_prepend(
    MemcachePool $memcache, array|string $key, mixed $value = UNKNOWN, int $flags = UNKNOWN, int $exptime = UNKNOWN,
    int $cas = UNKNOWN
): bool {}

/**
 * @param string|array $key
 * @param mixed $flags
 * @param mixed $cas
 */
function memcache_get(MemcachePool $memcache, $key, &$flags = UNKNOWN, &$cas = UNKNOWN): mixed {}

/**
 * @param string|array $key
 * @param int $exptime
 */
function memcache_delete(MemcachePool $memcache, $key, $exptime = UNKNOWN): array|bool {}

/** @param bool $on_off */
function memcache_debug($on_off): bool {}

function memcache_get_stats(
    MemcachePool $memcache, string $type = UNKNOWN, int $slabid = UNKNOWN, int $limit = UNKNOWN
): array|bool {}

function memcache_get_extended_stats(
    MemcachePool $memcache, string $type = UNKNOWN, int $slabid = UNKNOWN, int $limit = UNKNOWN
): array|bool {}

function memcache_set_compress_threshold(
    MemcachePool $memcache, int $threshold, float $min_savings = UNKNOWN
): bool {}

function memcache_increment(
    MemcachePool $memcache, array|string $key, int $value = UNKNOWN, int $defval = UNKNOWN, int $exptime = UNKNOWN
): array|int|bool {}

function memcache_decrement(
    MemcachePool $memcache, array|string $key, int $value = UNKNOWN, int $defval = UNKNOWN, int $exptime = UNKNOWN
): array|int|bool {}

function memcache_close(MemcachePool $memcache): bool {}

function memcache_flush(MemcachePool $memcache, int $delay = UNKNOWN): bool {}

function memcache_set_sasl_auth_data(MemcachePool $memcache, string $username, string $password): bool {}

class MemcachePool
{
    /**
     * The version of Larder; no other class of this name has it.
     *
     * @var string
     * @cvalue PHP_LARDER_VERSION
     */
    public const LARDER = UNKNOWN;

    /**
     * @param string $host
     * @param int $tcp_port
     * @param int $udp_port
     * @param bool $persistent
     * @param int $weight
     * @param float $timeout
     * @param int $retry_interval
     * @return bool
     */
    public function connect(
        $host, $tcp_port = UNKNOWN, $udp_port = UNKNOWN, $persistent = UNKNOWN, $weight = UNKNOWN, $timeout = UNKNOWN,
        $retry_interval = UNKNOWN
    ) {}

    /**
     * @param string $host
     * @param int $tcp_port
     * @param int $udp_port
     * @param bool $persistent
     * @param int $weight
     * @param float $timeout
     * @param int $retry_interval
     * @param bool $status
     */
    public function addserver(
        $host, $tcp_port = UNKNOWN, $udp_port = UNKNOWN, $persistent = UNKNOWN, $weight = UNKNOWN, $timeout = UNKNOWN,
        $retry_interval = UNKNOWN, $status = UNKNOWN
    ): bool {}

    /**
     * @param callable|null $failure_callback
     * @implementation-alias memcache_set_server_params
     */
    public function setserverparams(
        string $host, int $tcp_port = UNKNOWN, float $timeout = UNKNOWN, int $retry_interval = UNKNOWN, bool $status =
        UNKNOWN, $failure_callback = UNKNOWN
    ): bool {}

    /** @implementation-alias memcache_set_failure_callback */
    public function setfailurecallback(?callable $failure_callback): bool {}

    /** @implementation-alias memcache_get_server_status */
    public function getserverstatus(string $host, int $tcp_port = UNKNOWN): int|bool {}

    public function findserver(string $key): string|bool {}

    /** @implementation-alias memcache_get_version */
    public function getversion(): string|bool {}

    /** @implementation-alias memcache_add */
    public function add(
        array|string $key, mixed $value = UNKNOWN, int $flags = UNKNOWN, int $exptime = UNKNOWN, int $cas = UNKNOWN
    ): bool {}

    /** @implementation-alias memcache_set */
    public function set(
        array|string $key, mixed $value = UNKNOWN, int $flags = UNKNOWN, int $exptime = UNKNOWN, int $cas = UNKNOWN
    ): bool {}

    /** @implementation-alias memcache_replace */
    public function replace(
        array|string $key, mixed $value = UNKNOWN, int $flags = UNKNOWN, int $exptime = UNKNOWN, int $cas = UNKNOWN
    ): bool {}

    /** @implementation-alias memcache_cas */
    public function cas(
        array|string $key, mixed $value = UNKNOWN, int $flags = UNKNOWN, int $exptime = UNKNOWN, int $cas = UNKNOWN
    ): bool {}

    /** @implementation-alias memcache_append */
    public function append(
        array|string $key, mixed $value = UNKNOWN, int $flags = UNKNOWN, int $exptime = UNKNOWN, int $cas = UNKNOWN
    ): bool {}

    /** @implementation-alias memcache_prepend */
    public function prepend(
        array|string $key, mixed $value = UNKNOWN, int $flags = UNKNOWN, int $exptime = UNKNOWN, int $cas = UNKNOWN
    ): bool {}

    /** @implementation-alias memcache_get */
    public function get(array|string $key, mixed &$flags = UNKNOWN, mixed &$cas = UNKNOWN): mixed {}

    /** @implementation-alias memcache_delete */
    public function delete(array|string $key, int $exptime = UNKNOWN): array|bool {}

    /** @implementation-alias memcache_get_stats */
    public function getstats(string $type = UNKNOWN, int $slabid = UNKNOWN, int $limit = UNKNOWN): array|bool {}

    /** @implementation-alias memcache_get_extended_stats */
    public function getextendedstats(
        string $type = UNKNOWN, int $slabid = UNKNOWN, int $limit = UNKNOWN
    ): array|bool {}

    /** @implementation-alias memcache_set_compress_threshold */
    public function setcompressthreshold(int $threshold, float $min_savings = UNKNOWN): bool {}

    /** @implementation-alias memcache_increment */
    public function increment(
        array|string $key, int $value = UNKNOWN, int $defval = UNKNOWN, int $exptime = UNKNOWN
    ): array|int|bool {}

    /** @implementation-alias memcache_decrement */
    public function decrement(
        array|string $key, int $value = UNKNOWN, int $defval = UNKNOWN, int $exptime = UNKNOWN
    ): array|int|bool {}

    /** @implementation-alias memcache_close */
    public function close(): bool {}

    /** @implementation-alias memcache_flush */
    public function flush(int $delay = UNKNOWN): bool {}

    /** @implementation-alias memcache_set_sasl_auth_data */
    public function setSaslAuthData(string $username, string $password): bool {}
}

class Memcache extends MemcachePool
{
    /**
     * @param string $host
     * @param int $port
     * @param float $timeout
     * @param mixed $unused4
     * @param mixed $unused5
     * @param mixed $unused6
     * @param mixed $unused7
     * @param mixed $unugsed8
     * @return bool
     * @implementation-alias memcache_connect
     */
    public function connect(
        $host, $port = UNKNOWN, $timeout = UNKNOWN, $unused4 = UNKNOWN, $unused5 = UNKNOWN, $unused6 = UNKNOWN,
        $unused7 = UNKNOWN, $unugsed8 = UNKNOWN
    ) {}

    /**
     * @param string $host
     * @param int $port
     * @param float $timeout
     * @param mixed $unused4
     * @param mixed $unused5
     * @param mixed $unused6
     * @param mixed $unused7
     * @param mixed $unugsed8
     * @return bool
     * @implementation-alias memcache_pconnect
     */
    public function pconnect(
        $host, $port = UNKNOWN, $timeout = UNKNOWN, $unused4 = UNKNOWN, $unused5 = UNKNOWN, $unused6 = UNKNOWN,
        $unused7 = UNKNOWN, $unugsed8 = UNKNOWN
    ) {}

    /**
     * @param string $host
     * @param int $tcp_port
     * @param bool $persistent
     * @param int $weight
     * @param float $timeout
     * @param int $retry_interval
     * @param bool $status
     * @param callable|null $failure_callback
     * @implementation-alias memcache_add_server
     */
    public function addserver(
        $host, $tcp_port = UNKNOWN, $persistent = UNKNOWN, $weight = UNKNOWN, $timeout = UNKNOWN, $retry_interval =
        UNKNOWN, $status = UNKNOWN, $failure_callback = UNKNOWN
    ): bool {}
}
