<?php

/** @generate-class-entries */

/**
 * The class of php-memcached 3.3.0, over Larder's client. HAVE_IGBINARY, HAVE_MSGPACK and HAVE_ZSTD are constants too:
 * whether those extensions are loaded, and that library was there when this was built; so is HAVE_TLS.
 */
class Memcached
{
    /**
     * The version of Larder; no other class Memcached has it.
     *
     * @var string
     * @cvalue PHP_LARDER_VERSION
     */
    public const LARDER = UNKNOWN;
    /** @var int */
    public const LIBMEMCACHED_VERSION_HEX = 16777240;
    /** @var int */
    public const OPT_COMPRESSION = -1001;
    /** @var int */
    public const OPT_COMPRESSION_TYPE = -1004;
    /** @var int */
    public const OPT_COMPRESSION_LEVEL = -1007;
    /** @var int */
    public const OPT_PREFIX_KEY = -1002;
    /** @var int */
    public const OPT_SERIALIZER = -1003;
    /** @var int */
    public const OPT_USER_FLAGS = -1006;
    /** @var int */
    public const OPT_STORE_RETRY_COUNT = -1005;
    /** @var int */
    public const OPT_ITEM_SIZE_LIMIT = -1008;
    /**
     * Larder's own: of which classes values may be. true: all, as here by default and in php-memcached; false: none; a
     * list: the usual ones and those. Of any other one set() is false, get() false and RES_PAYLOAD_FAILURE.
     *
     * @var int
     */
    public const OPT_OBJECTS = -1900;
    /** @var bool */
    public const HAVE_JSON = true;
    /** @var bool */
    public const HAVE_ENCODING = false;
    /** @var bool */
    public const HAVE_SESSION = true;
    /** @var bool */
    public const HAVE_SASL = false;
    /** @var int */
    public const OPT_HASH = 2;
    /** @var int */
    public const HASH_DEFAULT = 0;
    /** @var int */
    public const HASH_MD5 = 1;
    /** @var int */
    public const HASH_CRC = 2;
    /** @var int */
    public const HASH_FNV1_64 = 3;
    /** @var int */
    public const HASH_FNV1A_64 = 4;
    /** @var int */
    public const HASH_FNV1_32 = 5;
    /** @var int */
    public const HASH_FNV1A_32 = 6;
    /** @var int */
    public const HASH_HSIEH = 7;
    /** @var int */
    public const HASH_MURMUR = 8;
    /** @var int */
    public const OPT_DISTRIBUTION = 9;
    /** @var int */
    public const DISTRIBUTION_MODULA = 0;
    /** @var int */
    public const DISTRIBUTION_CONSISTENT = 1;
    /** @var int */
    public const DISTRIBUTION_VIRTUAL_BUCKET = 6;
    /** @var int */
    public const OPT_LIBKETAMA_COMPATIBLE = 16;
    /** @var int */
    public const OPT_LIBKETAMA_HASH = 17;
    /** @var int */
    public const OPT_TCP_KEEPALIVE = 32;
    /** @var int */
    public const OPT_BUFFER_WRITES = 10;
    /** @var int */
    public const OPT_BINARY_PROTOCOL = 18;
    /** @var int */
    public const OPT_NO_BLOCK = 0;
    /** @var int */
    public const OPT_TCP_NODELAY = 1;
    /** @var int */
    public const OPT_SOCKET_SEND_SIZE = 4;
    /** @var int */
    public const OPT_SOCKET_RECV_SIZE = 5;
    /** @var int */
    public const OPT_CONNECT_TIMEOUT = 14;
    /** @var int */
    public const OPT_RETRY_TIMEOUT = 15;
    /** @var int */
    public const OPT_DEAD_TIMEOUT = 36;
    /** @var int */
    public const OPT_SEND_TIMEOUT = 19;
    /** @var int */
    public const OPT_RECV_TIMEOUT = 20;
    /** @var int */
    public const OPT_POLL_TIMEOUT = 8;
    /** @var int */
    public const OPT_CACHE_LOOKUPS = 6;
    /** @var int */
    public const OPT_SERVER_FAILURE_LIMIT = 21;
    /** @var int */
    public const OPT_AUTO_EJECT_HOSTS = 28;
    /** @var int */
    public const OPT_HASH_WITH_PREFIX_KEY = 25;
    /** @var int */
    public const OPT_NOREPLY = 26;
    /** @var int */
    public const OPT_SORT_HOSTS = 12;
    /** @var int */
    public const OPT_VERIFY_KEY = 13;
    /** @var int */
    public const OPT_USE_UDP = 27;
    /** @var int */
    public const OPT_NUMBER_OF_REPLICAS = 29;
    /** @var int */
    public const OPT_RANDOMIZE_REPLICA_READ = 30;
    /** @var int */
    public const OPT_REMOVE_FAILED_SERVERS = 35;
    /** @var int */
    public const OPT_SERVER_TIMEOUT_LIMIT = 37;
    /**
     * Larder's alone, as those below: whether all servers but Unix sockets are spoken to by TLS.
     *
     * @var int
     */
    public const OPT_TLS = -2101;
    /**
     * File of the authorities to trust; "": the system's.
     *
     * @var int
     */
    public const OPT_TLS_CA = -2102;
    /**
     * File of the certificate that is shown to the servers; "": none.
     *
     * @var int
     */
    public const OPT_TLS_CERT = -2103;
    /**
     * File of its key, without a password; "": in that of the certificate.
     *
     * @var int
     */
    public const OPT_TLS_KEY = -2104;
    /**
     * The name in the servers' certificates; "": the host's.
     *
     * @var int
     */
    public const OPT_TLS_NAME = -2105;
    /**
     * False: any certificate is taken, so anybody in between can read and change what is sent.
     *
     * @var int
     */
    public const OPT_TLS_VERIFY = -2106;
    /** @var int */
    public const RES_SUCCESS = 0;
    /** @var int */
    public const RES_FAILURE = 1;
    /** @var int */
    public const RES_HOST_LOOKUP_FAILURE = 2;
    /** @var int */
    public const RES_CONNECTION_FAILURE = 3;
    /** @var int */
    public const RES_CONNECTION_BIND_FAILURE = 4;
    /** @var int */
    public const RES_WRITE_FAILURE = 5;
    /** @var int */
    public const RES_READ_FAILURE = 6;
    /** @var int */
    public const RES_UNKNOWN_READ_FAILURE = 7;
    /** @var int */
    public const RES_PROTOCOL_ERROR = 8;
    /** @var int */
    public const RES_CLIENT_ERROR = 9;
    /** @var int */
    public const RES_SERVER_ERROR = 10;
    /** @var int */
    public const RES_DATA_EXISTS = 12;
    /** @var int */
    public const RES_DATA_DOES_NOT_EXIST = 13;
    /** @var int */
    public const RES_NOTSTORED = 14;
    /** @var int */
    public const RES_STORED = 15;
    /** @var int */
    public const RES_NOTFOUND = 16;
    /** @var int */
    public const RES_PARTIAL_READ = 18;
    /** @var int */
    public const RES_SOME_ERRORS = 19;
    /** @var int */
    public const RES_NO_SERVERS = 20;
    /** @var int */
    public const RES_END = 21;
    /** @var int */
    public const RES_DELETED = 22;
    /** @var int */
    public const RES_VALUE = 23;
    /** @var int */
    public const RES_STAT = 24;
    /** @var int */
    public const RES_ITEM = 25;
    /** @var int */
    public const RES_ERRNO = 26;
    /** @var int */
    public const RES_FAIL_UNIX_SOCKET = 27;
    /** @var int */
    public const RES_NOT_SUPPORTED = 28;
    /** @var int */
    public const RES_NO_KEY_PROVIDED = 29;
    /** @var int */
    public const RES_FETCH_NOTFINISHED = 30;
    /** @var int */
    public const RES_TIMEOUT = 31;
    /** @var int */
    public const RES_BUFFERED = 32;
    /** @var int */
    public const RES_BAD_KEY_PROVIDED = 33;
    /** @var int */
    public const RES_INVALID_HOST_PROTOCOL = 34;
    /** @var int */
    public const RES_SERVER_MARKED_DEAD = 35;
    /** @var int */
    public const RES_UNKNOWN_STAT_KEY = 36;
    /** @var int */
    public const RES_INVALID_ARGUMENTS = 38;
    /** @var int */
    public const RES_PARSE_ERROR = 43;
    /** @var int */
    public const RES_PARSE_USER_ERROR = 44;
    /** @var int */
    public const RES_DEPRECATED = 45;
    /** @var int */
    public const RES_IN_PROGRESS = 46;
    /** @var int */
    public const RES_MAXIMUM_RETURN = 49;
    /** @var int */
    public const RES_MEMORY_ALLOCATION_FAILURE = 17;
    /** @var int */
    public const RES_CONNECTION_SOCKET_CREATE_FAILURE = 11;
    /** @var int */
    public const RES_E2BIG = 37;
    /** @var int */
    public const RES_KEY_TOO_BIG = 39;
    /** @var int */
    public const RES_SERVER_TEMPORARILY_DISABLED = 47;
    /** @var int */
    public const RES_SERVER_MEMORY_ALLOCATION_FAILURE = 48;
    /** @var int */
    public const RES_AUTH_PROBLEM = 40;
    /** @var int */
    public const RES_AUTH_FAILURE = 41;
    /** @var int */
    public const RES_AUTH_CONTINUE = 42;
    /** @var int */
    public const RES_PAYLOAD_FAILURE = -1001;
    /** @var int */
    public const SERIALIZER_PHP = 1;
    /** @var int */
    public const SERIALIZER_IGBINARY = 2;
    /** @var int */
    public const SERIALIZER_JSON = 3;
    /** @var int */
    public const SERIALIZER_JSON_ARRAY = 4;
    /** @var int */
    public const SERIALIZER_MSGPACK = 5;
    /** @var int */
    public const COMPRESSION_FASTLZ = 2;
    /** @var int */
    public const COMPRESSION_ZLIB = 1;
    /** @var int */
    public const COMPRESSION_ZSTD = 3;
    /** @var int */
    public const GET_PRESERVE_ORDER = 1;
    /** @var int */
    public const GET_EXTENDED = 2;
    /** @var bool */
    public const GET_ERROR_RETURN_VALUE = false;

    public function __construct(
        ?string $persistent_id = null,
        ?callable $callback = null,
        ?string $connection_str = null,
    ) {}

    public function getResultCode(): int {}

    public function getResultMessage(): string {}

    public function get(string $key, ?callable $cache_cb = null, int $get_flags = 0): mixed {}

    public function getByKey(
        string $server_key,
        string $key,
        ?callable $cache_cb = null,
        int $get_flags = 0,
    ): mixed {}

    public function getMulti(array $keys, int $get_flags = 0): array|false {}

    public function getMultiByKey(string $server_key, array $keys, int $get_flags = 0): array|false {}

    public function getDelayed(array $keys, bool $with_cas = false, ?callable $value_cb = null): bool {}

    public function getDelayedByKey(
        string $server_key,
        array $keys,
        bool $with_cas = false,
        ?callable $value_cb = null,
    ): bool {}

    public function fetch(): array|false {}

    public function fetchAll(): array|false {}

    public function set(string $key, mixed $value, int $expiration = 0): bool {}

    public function setByKey(string $server_key, string $key, mixed $value, int $expiration = 0): bool {}

    public function touch(string $key, int $expiration = 0): bool {}

    public function touchByKey(string $server_key, string $key, int $expiration = 0): bool {}

    public function setMulti(array $items, int $expiration = 0): bool {}

    public function setMultiByKey(string $server_key, array $items, int $expiration = 0): bool {}

    public function cas(string|int|float $cas_token, string $key, mixed $value, int $expiration = 0): bool {}

    public function casByKey(
        string|int|float $cas_token,
        string $server_key,
        string $key,
        mixed $value,
        int $expiration = 0,
    ): bool {}

    public function add(string $key, mixed $value, int $expiration = 0): bool {}

    public function addByKey(string $server_key, string $key, mixed $value, int $expiration = 0): bool {}

    public function append(string $key, string $value): ?bool {}

    public function appendByKey(string $server_key, string $key, string $value): ?bool {}

    public function prepend(string $key, string $value): ?bool {}

    public function prependByKey(string $server_key, string $key, string $value): ?bool {}

    public function replace(string $key, mixed $value, int $expiration = 0): bool {}

    public function replaceByKey(string $server_key, string $key, mixed $value, int $expiration = 0): bool {}

    public function delete(string $key, int $time = 0): bool {}

    public function deleteMulti(array $keys, int $time = 0): array {}

    public function deleteByKey(string $server_key, string $key, int $time = 0): bool {}

    public function deleteMultiByKey(string $server_key, array $keys, int $time = 0): array {}

    public function increment(string $key, int $offset = 1, int $initial_value = 0, int $expiry = 0): int|false {}

    public function decrement(string $key, int $offset = 1, int $initial_value = 0, int $expiry = 0): int|false {}

    public function incrementByKey(
        string $server_key,
        string $key,
        int $offset = 1,
        int $initial_value = 0,
        int $expiry = 0,
    ): int|false {}

    public function decrementByKey(
        string $server_key,
        string $key,
        int $offset = 1,
        int $initial_value = 0,
        int $expiry = 0,
    ): int|false {}

    public function addServer(string $host, int $port, int $weight = 0): bool {}

    public function addServers(array $servers): bool {}

    public function getServerList(): array {}

    public function getServerByKey(string $server_key): array|false {}

    public function resetServerList(): bool {}

    public function quit(): bool {}

    public function flushBuffers(): bool {}

    public function getLastErrorMessage(): string {}

    public function getLastErrorCode(): int {}

    public function getLastErrorErrno(): int {}

    public function getLastDisconnectedServer(): array|false {}

    public function getStats(?string $type = null): array|false {}

    public function getVersion(): array|false {}

    public function getAllKeys(): array|false {}

    public function flush(int $delay = 0): bool {}

    public function getOption(int $option): mixed {}

    public function setOption(int $option, mixed $value): bool {}

    public function setOptions(array $options): bool {}

    public function setBucket(array $host_map, ?array $forward_map, int $replicas): bool {}

    public function setSaslAuthData(string $username, #[\SensitiveParameter] string $password): bool {}

    public function setEncodingKey(string $key): bool {}

    public function isPersistent(): bool {}

    public function isPristine(): bool {}

    public function checkKey(string $key): bool {}
}

class MemcachedException extends RuntimeException
{
}
