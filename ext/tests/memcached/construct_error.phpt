--TEST--
The constructor refuses what it does not know, before anything is connected to
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
$wrong = [
    ['servers' => []],
    ['servers' => ''],
    ['servers' => ['a', 'b', 'a']],
    ['servers' => ['a' => 0]],
    ['servers' => ['a' => 1001]],
    ['servers' => ['a' => '5']],
    ['servers' => [5]],
    ['servers' => ['a', ['b']]],
    ['servers' => 'localhost:0'],
    ['servers' => 'localhost:70000'],
    ['servers' => "local\nhost"],
    ['servers' => "unix:\0x"],
    ['prefix' => str_repeat('p', 250)],
    ['timeout' => 0],
    ['timeout' => -5],
    ['timeout' => 3600001],
    ['retry' => 0],
    ['dnsTimeout' => 0],
    ['compressionThreshold' => -1],
    ['ring' => 'circle'],
    ['ring' => "larder\0"],
    ['ring' => ''],
    ['hash' => 'sha256'],
    ['ring' => 'ketama', 'hash' => 'crc'],
    ['layout' => 'redis'],
    ['serializer' => 'yaml'],
    ['serializer' => 'json', 'layout' => 'memcache'],
    ['compressor' => 'brotli'],
    ['compressor' => 'fastlz'],
    ['failover' => 'always'],
    ['user' => 'me'],
    ['password' => 'secret'],
    ['user' => '', 'password' => 'secret'],
    ['tlsCa' => ''],
];
foreach ($wrong as $options) {
    try {
        new Larder\Memcached(...$options);
        echo json_encode($options), " was taken\n";
    } catch (Error $error) {
        echo $error::class, ': ', $error->getMessage(), "\n";
    }
}
var_dump($server->stat('total_connections') <= 3);
/* A password is in no trace. */
try {
    new Larder\Memcached(user: 'me', password: 'secret', timeout: -1);
} catch (ValueError $error) {
    var_dump(
        str_contains(
            (string) $error
                . serialize(array_map(fn($frame) => array_map('gettype', $frame['args'] ?? []), $error->getTrace())),
            'secret',
        ),
    );
}
?>
--EXPECT--
ValueError: Larder\Memcached::__construct(): Argument #1 ($servers) must name at least one server
ValueError: Larder\Memcached::__construct(): server "": it is empty; allowed are "host:port", "[::1]:port", "unix:/path", "tls://host:port"
ValueError: Larder\Memcached::__construct(): Argument #1 ($servers) must name each server once, "a" is there again
ValueError: Larder\Memcached::__construct(): Argument #1 ($servers) must have weights from 1 to 1000, "a" has 0
ValueError: Larder\Memcached::__construct(): Argument #1 ($servers) must have weights from 1 to 1000, "a" has 1001
TypeError: Larder\Memcached::__construct(): Argument #1 ($servers) must be a server, a list of them, or weights by server; there is string as the weight of a
TypeError: Larder\Memcached::__construct(): Argument #1 ($servers) must be a server, a list of them, or weights by server; there is int in the list of servers
TypeError: Larder\Memcached::__construct(): Argument #1 ($servers) must be a server, a list of them, or weights by server; there is array in the list of servers
ValueError: Larder\Memcached::__construct(): server "localhost:0": behind the host stands ":" and a port from 1 to 65535, or nothing
ValueError: Larder\Memcached::__construct(): server "localhost:70000": behind the host stands ":" and a port from 1 to 65535, or nothing
ValueError: Larder\Memcached::__construct(): server "local?host": spaces and control bytes are not allowed
ValueError: Larder\Memcached::__construct(): server "unix:?x": spaces and control bytes are not allowed
ValueError: Larder\Memcached::__construct(): Argument #2 ($prefix) must be at most 249 bytes long, 250 given
ValueError: Larder\Memcached::__construct(): Argument #3 ($timeout) must be between 1 and 3600000, 0 given
ValueError: Larder\Memcached::__construct(): Argument #3 ($timeout) must be between 1 and 3600000, -5 given
ValueError: Larder\Memcached::__construct(): Argument #3 ($timeout) must be between 1 and 3600000, 3600001 given
ValueError: Larder\Memcached::__construct(): Argument #4 ($retry) must be between 1 and 3600000, 0 given
ValueError: Larder\Memcached::__construct(): Argument #14 ($dnsTimeout) must be between 1 and 3600000, 0 given
ValueError: Larder\Memcached::__construct(): Argument #10 ($compressionThreshold) must be between 0 and 9223372036854775807, -1 given
ValueError: Larder\Memcached::__construct(): there is no ring "circle"
ValueError: Larder\Memcached::__construct(): Argument #5 ($ring) must not contain any null bytes
ValueError: Larder\Memcached::__construct(): Argument #5 ($ring) cannot be empty
ValueError: Larder\Memcached::__construct(): there is no hash "sha256"
ValueError: Larder\Memcached::__construct(): the ring "ketama" cannot have the hash "crc"
ValueError: Larder\Memcached::__construct(): layout "redis" is unknown: there are memcached and memcache
ValueError: Larder\Memcached::__construct(): serializer "yaml" is unknown: there are php, igbinary, msgpack, json and none
ValueError: Larder\Memcached::__construct(): serializer "json" cannot be told in the layout memcache, which has php and none
ValueError: Larder\Memcached::__construct(): compressor "brotli" is unknown: there are none, zlib, zstd and lz4
ValueError: Larder\Memcached::__construct(): compressor "fastlz" can be read but not written: there are none, zlib, zstd and lz4
ValueError: Larder\Memcached::__construct(): Argument #12 ($failover) must be "none", "next" or "mirror", "always" given
ValueError: Larder\Memcached::__construct(): Argument #16 ($password) must be given: $user and $password go together
ValueError: Larder\Memcached::__construct(): Argument #15 ($user) must be given: $user and $password go together
ValueError: Larder\Memcached::__construct(): Argument #15 ($user) cannot be empty
ValueError: Larder\Memcached::__construct(): Argument #17 ($tlsCa) cannot be empty
bool(true)
bool(false)
