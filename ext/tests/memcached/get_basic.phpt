--TEST--
get, read, gets and has: a value, a default, a miss
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
$cache = new Larder\Memcached($server->address, timeout: 5000);
var_dump($cache->get('key'), $cache->get('key', 'default'), $cache->has('key'));
var_dump($cache->set('key', ['a' => 1, 'b' => [2.5, 'three', null, true]]));
echo json_encode($cache->get('key', 'default')), "\n";
var_dump($cache->has('key'));
foreach (['key', 'missing'] as $key) {
    $answer = $cache->read($key);
    echo json_encode([
        $answer->hit,
        $answer->value,
        $answer->version > 0,
        $answer->stale,
        $answer->lease,
        $answer->answered,
    ]), "\n";
    var_dump($cache->gets($key) == $answer);
}
var_dump($cache->failures());
?>
--EXPECT--
NULL
string(7) "default"
bool(false)
enum(Larder\Outcome::Done)
{"a":1,"b":[2.5,"three",null,true]}
bool(true)
[true,{"a":1,"b":[2.5,"three",null,true]},true,false,null,true]
bool(true)
[false,null,false,false,null,true]
bool(true)
array(0) {
}
