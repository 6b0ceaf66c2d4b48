--TEST--
incrementMultiple and decrementMultiple: each key by itself
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$servers = [MemcachedServer::unix(), MemcachedServer::unix()];
$cache = new Larder\Memcached(array_column($servers, 'address'), timeout: 5000);
$show = fn(
    array $results,
) => print(
    json_encode(array_map(fn($result) => $result instanceof Larder\Outcome ? $result->name : $result, $results))
        . "\n"
);
$cache->setMultiple(['a' => 1, 'b' => -1, 'text' => 'x']);
$show($cache->incrementMultiple(['b', 'a', 'none', 'text']));
$show($cache->incrementMultiple(['a', 'new', '7'], 5, 50));
$show($cache->incrementMultiple(['a', 'new', 7], 5, 50));
$show($cache->decrementMultiple(['a', 'new', 'text'], 100));
$keys = array_map(fn($number) => "n$number", range(1, 300));
$cache->incrementMultiple($keys, 1, 1);
var_dump($cache->incrementMultiple($keys, 2) === array_fill_keys($keys, 3));
?>
--EXPECT--
{"b":0,"a":2,"none":"NotFound","text":"Exists"}
{"a":7,"new":50,"7":50}
{"a":12,"new":55,"7":55}
{"a":-88,"new":-45,"text":"Exists"}
bool(true)
