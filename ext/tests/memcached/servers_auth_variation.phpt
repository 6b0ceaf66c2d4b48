--TEST--
servers with -Y: told of nobody, they refuse every verb, and no deadline passes
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/servers_auth.inc';
$server = auth_server();
$calls = [
    'get' => static fn(Larder\Memcached $cache): mixed => $cache->get('key', 'miss'),
    'getMultiple' => static fn(Larder\Memcached $cache): mixed => $cache->getMultiple(['a', 'b', 'c']),
    'set' => static fn(Larder\Memcached $cache): mixed => $cache->set('key', 'value')->name,
    'setMultiple' => static fn(Larder\Memcached $cache): mixed => array_column(
        $cache->setMultiple(['a' => 1, 'b' => 2, 'c' => 3]),
        'name',
    ),
    'delete' => static fn(Larder\Memcached $cache): mixed => $cache->delete('key')->name,
    'increment' => static fn(Larder\Memcached $cache): mixed => $cache->increment('n', initial: 1)?->name,
    'stats' => static fn(Larder\Memcached $cache): mixed => array_values($cache->stats()),
];
/* memcached 1.6.45 closes at an "ms" without a word why; older ones say so. */
$retry = 60000;
foreach ($calls as $name => $call) {
    /* Another retry interval, another pool. */
    $cache = new Larder\Memcached($server->address, timeout: 20000, retry: $retry++);
    $result = json_encode($call($cache));
    echo "$name: $result, ", kinds($cache), "\n";
}
?>
--EXPECTF--
get: "miss", Denied
getMultiple: [], Denied
set: "Refused", Denied
setMultiple: %r(\["Refused","Refused","Refused"\], Denied|\["Unknown","Unknown","Unknown"\], Closed)%r
delete: "Refused", Denied
increment: "Refused", Denied
stats: [null], Denied
