--TEST--
markStale: the old value is handed out until one caller has made it anew
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
$cache = new Larder\Memcached($server->address, shared: false, timeout: 5000);
$show = fn(
    Larder\Answer $answer,
) => print(json_encode([$answer->hit, $answer->value, $answer->stale, $answer->lease !== null]) . "\n");
$cache->set('key', 'old', 1000);
var_dump($cache->markStale('key', 60), $cache->markStale('none'));
/* A plain read does not take the right to make it. */
$show($cache->read('key'));
echo json_encode($cache->getMultiple(['none', 'key', 'key'])), "\n";
$show($mine = $cache->getOrLease('key'));
$show($cache->getOrLease('key'));
$show($cache->read('key'));
var_dump($cache->get('key'), $cache->set('key', 'new', lease: $mine->lease));
$show($cache->getOrLease('key'));
echo "given back:\n";
$cache->markStale('key');
$mine = $cache->getOrLease('key');
$cache->release('key', $mine->lease);
$show($cache->getOrLease('key'));
echo "marked again meanwhile:\n";
$cache->set('key', 'old');
$cache->markStale('key');
$mine = $cache->getOrLease('key');
$cache->markStale('key');
var_dump($cache->set('key', 'made of what was before', lease: $mine->lease));
$show($cache->getOrLease('key'));
echo "for no time:\n";
$cache->set('key', 'old');
var_dump($cache->markStale('key', 0), $cache->has('key'));
?>
--EXPECT--
enum(Larder\Outcome::Done)
enum(Larder\Outcome::NotFound)
[true,"old",true,false]
{"key":"old"}
[true,"old",true,true]
[true,"old",true,false]
[true,"old",true,false]
string(3) "old"
enum(Larder\Outcome::Done)
[true,"new",false,false]
given back:
[true,"new",true,true]
marked again meanwhile:
enum(Larder\Outcome::Exists)
[true,"old",true,true]
for no time:
enum(Larder\Outcome::Done)
bool(false)
