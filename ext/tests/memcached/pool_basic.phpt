--TEST--
The same arguments are the same pool: one connection, whatever the number of objects
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
$other = MemcachedServer::unix();
$before = $server->stat('curr_connections');
$caches = [];
for ($number = 0; $number < 100; $number++) {
    $caches[] = $cache = new Larder\Memcached(
        [$server->address],
        prefix: "p$number:",
        serializer: $number % 2 ? 'php' : 'json',
        compressor: $number % 3 ? 'none' : 'zlib',
        timeout: 5000,
    );
    $cache->set('key', $number);
}
$connections = function () use ($server): int {
    /* Until the server has noticed who left. */
    usleep(20000);
    return $server->stat('curr_connections');
};
var_dump(
    $connections() - $before,
    $caches[0]->info()[$server->address]['connects'],
    $caches[7]->get('key'),
    $caches[99]->get('key'),
);
/* As a string, as a list, with the default weight. */
(new Larder\Memcached($server->address, timeout: 5000))->get('key');
(new Larder\Memcached([$server->address => 1], timeout: 5000))->get('key');
var_dump($connections() - $before);
/* What concerns the servers makes another. */
foreach ([['timeout' => 300], ['retry' => 5], ['ring' => 'ketama'], [
    'hash' => 'crc',
    'ring' => 'modula',
], ['shared' => false], ['failover' => 'next'], ['dnsTimeout' => 5],
    ['servers' => [$server->address => 2]],
    ['servers' => [$server->address, $other->address]],
    ['servers' => [$other->address, $server->address]]] as $options) {
    $now = $connections();
    $options += ['servers' => $server->address];
    $cache = new Larder\Memcached(...$options);
    $cache->getMultiple(range(1, 20));
    echo json_encode(array_diff_key($options, ['servers' => 1])), ' ', $connections() - $now, "\n";
}
$cache = new Larder\Memcached($server->address, timeout: 5000);
$cache->close();
var_dump($connections() - $now, $caches[3]->get('key'), $caches[3]->info()[$server->address]['connects']);
?>
--EXPECT--
int(1)
int(1)
int(7)
int(99)
int(1)
{"timeout":300} 1
{"retry":5} 1
{"ring":"ketama"} 1
{"hash":"crc","ring":"modula"} 1
{"shared":false} 1
{"failover":"next"} 1
{"dnsTimeout":5} 1
[] 1
[] 1
[] 1
int(0)
int(3)
int(2)
