--TEST--
Larder\Memcached: every ring finds the server that ext-memcached or pecl-memcache finds, for 20,000 keys of any bytes
--EXTENSIONS--
larder
--SKIPIF--
<?php
if (!extension_loaded('memcached') || !extension_loaded('memcache')) {
    echo 'skip needs memcached and memcache';
}
?>
--INI--
memcache.prefix_static_key=app:
--FILE--
<?php
const HASHES = ['default' => Memcached::HASH_DEFAULT, 'md5' => Memcached::HASH_MD5, 'crc' => Memcached::HASH_CRC,
    'fnv1_64' => Memcached::HASH_FNV1_64, 'fnv1a_64' => Memcached::HASH_FNV1A_64, 'fnv1_32' => Memcached::HASH_FNV1_32,
    'fnv1a_32' => Memcached::HASH_FNV1A_32, 'murmur' => Memcached::HASH_MURMUR];

/* Weights by server. Nobody is connected to. */
const LISTS = [
    'equal' => ['10.0.0.1:11211' => 1, '10.0.0.2:11211' => 1, '10.0.0.3:11212' => 1],
    'weighted' => [
        'cache-a.example:11211' => 1,
        '10.0.0.2:1' => 6,
        '[::1]:11211' => 2,
        '[fe80::2]:11213' => 13,
        'unix:/run/none.sock' => 3,
    ],
];

/** @return array{string, int} host without brackets or path, and port */
function parts(string $server): array
{
    if (str_starts_with($server, 'unix:')) {
        return [substr($server, 5), 0];
    }
    $colon = (int) strrpos($server, ':');
    return [trim(substr($server, 0, $colon), '[]'), (int) substr($server, $colon + 1)];
}

/** @param array<string, int> $servers */
function memcached(array $servers, string $ring, string $hash): Closure
{
    $client = new Memcached();
    $client->setOption(Memcached::OPT_PREFIX_KEY, 'app:');
    $client->setOption(Memcached::OPT_HASH, HASHES[$hash]);
    match ($ring) {
        'modula' => true,
        'consistent' => $client->setOption(Memcached::OPT_DISTRIBUTION, Memcached::DISTRIBUTION_CONSISTENT),
        'ketama' => $client->setOption(Memcached::OPT_LIBKETAMA_COMPATIBLE, true),
    };
    $names = [];
    foreach ($servers as $server => $weight) {
        [$host, $port] = parts($server);
        $client->addServer($host, $port, $weight);
        $names[$host] = $server;
    }
    return static fn(string $key): string => $names[$client->getServerByKey($key)['host']];
}

/** @param array<string, int> $servers */
function pecl(array $servers, string $ring, string $hash): Closure
{
    ini_set('memcache.hash_strategy', $ring === 'memcache' ? 'consistent' : 'standard');
    ini_set('memcache.hash_function', $hash === 'crc32' ? 'crc32' : 'fnv');
    $client = new MemcachePool();
    $names = [];
    foreach ($servers as $server => $weight) {
        [$host, $port] = parts($server);
        $host = $port === 0 ? "unix://$host" : (str_contains($host, ':') ? "[$host]" : $host);
        @$client->addServer($host, $port, 0, true, $weight); // makes a dynamic property
        $names["$host:$port"] = $server;
    }
    return static fn(string $key): string => $names[$client->findServer($key)];
}

/** @return list<string> without bytes that a client would refuse or change */
function keys(int $seed): array
{
    mt_srand($seed);
    $keys = [];
    while (count($keys) < 20000) {
        $key = 'k';
        for ($left = mt_rand(0, 60); $left > 0; --$left) {
            $byte = mt_rand(0x21, 0xff);
            $key .= $byte === 0x7f ? 'x' : chr($byte);
        }
        $keys[$key] = true;
    }
    return array_keys($keys);
}

$seed = random_int(0, 1 << 30);
$keys = keys($seed);
$cases = [
    ['ketama', 'md5'],
    ['memcache', 'crc32'],
    ['memcache', 'fnv1a_32'],
    ['memcache-standard', 'crc32'],
    ['memcache-standard', 'fnv1a_32'],
];
foreach (array_keys(HASHES) as $hash) {
    $cases[] = ['modula', $hash];
    $cases[] = ['consistent', $hash];
}
foreach (LISTS as $name => $servers) {
    $compared = 0;
    foreach ($cases as [$ring, $hash]) {
        $ours = new Larder\Memcached($servers, prefix: 'app:', ring: $ring, hash: $hash, timeout: 5000);
        $theirs = str_starts_with($ring, 'memcache') ? pecl($servers, $ring, $hash) : memcached($servers, $ring, $hash);
        $different = 0;
        foreach ($keys as $key) {
            $different += (int) ($ours->serverOf($key) !== $theirs($key));
        }
        if ($different > 0) {
            echo "$name $ring $hash: $different keys differ, seed $seed\n";
        }
        $compared += count($keys);
    }
    echo "$name: $compared compared\n";
}
?>
--EXPECT--
equal: 420000 compared
weighted: 420000 compared
