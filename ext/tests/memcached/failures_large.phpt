--TEST--
TooLarge: the failure names size and limit
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix('-I', '4k');
$cache = new Larder\Memcached($server->address, prefix: 'p:');
$cache->set('large', 'small');
var_dump($cache->set('large', str_repeat('x', 5000)));
foreach ($cache->failures() as $failure) {
    var_dump($failure->kind, $failure->key, $failure->size, $failure->limit);
    echo str_replace($server->address, 'SERVER', $failure->message), "\n";
}
$outcomes = $cache->setMultiple(['a' => 'small', 'b' => str_repeat('y', 6000), 'c' => 'small', "d\n" => str_repeat('z', 7000), 'e' => 'small']);
echo json_encode(array_column($outcomes, 'name')), ' ', json_encode(array_map(fn($failure) => [$failure->key, $failure->size], $cache->failures())), "\n";
echo json_encode($cache->getMultiple(['a', 'b', 'c', "d\n", 'e'])), ' ', json_encode($cache->failures()), "\n";
var_dump($cache->info()[$server->address]['connects']);
?>
--EXPECT--

Fatal error: Uncaught RuntimeException: memcached did not start: slab_chunk_max (bytes: 524288) cannot be larger than -I (item_size_max 4096)
 in /work/main/ext/tests/memcached/server.inc:75
Stack trace:
#0 /work/main/ext/tests/memcached/server.inc(30): MemcachedServer->start()
#1 /work/main/ext/tests/memcached/failures_large.tmp.php(4): MemcachedServer::unix('-I', '4k')
#2 {main}
  thrown in /work/main/ext/tests/memcached/server.inc on line 75
