--TEST--
getOrLease: a hit, the right to make it for one caller, or neither
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
$cache = new Larder\Memcached($server->address, shared: false, timeout: 5000);
$other = new Larder\Memcached($server->address, timeout: 251, shared: false);
$show = fn(
    Larder\Answer $answer,
) => print(
    json_encode([$answer->hit, $answer->value, $answer->stale, $answer->lease !== null, $answer->answered])
        . "\n"
);
$show($mine = $cache->getOrLease('key', 5));
$show($other->getOrLease('key'));
$show($cache->read('key'));
var_dump($cache->set('key', 'made', lease: $mine->lease));
$show($other->getOrLease('key'));
var_dump($cache->set('key', 'late', lease: $mine->lease), $cache->release('key', $mine->lease), $other->get('key'));

echo "released:\n";
$mine = $cache->getOrLease('second');
var_dump(
    $other->release('second', $mine->lease + 4),
    $cache->release('second', $mine->lease),
    $cache->release('second', $mine->lease),
    $cache->release('second', 0),
);
$show($other->getOrLease('second'));

echo "ended by a delete:\n";
$mine = $cache->getOrLease('third');
var_dump($other->delete('third'), $cache->set('third', 'old', lease: $mine->lease), $other->has('third'));

echo "ended by time:\n";
$mine = $cache->getOrLease('fourth', 0.2);
usleep(2300000);
$show($other->getOrLease('fourth'));
var_dump($cache->set('fourth', 'late', lease: $mine->lease));
?>
--EXPECT--
[false,null,false,true,true]
[false,null,false,false,true]
[false,null,false,false,true]
enum(Larder\Outcome::Done)
[true,"made",false,false,true]
enum(Larder\Outcome::Exists)
bool(false)
string(4) "made"
released:
bool(false)
bool(true)
bool(false)
bool(false)
[false,null,false,true,true]
ended by a delete:
enum(Larder\Outcome::NotFound)
enum(Larder\Outcome::Exists)
bool(false)
ended by time:
[false,null,false,true,true]
enum(Larder\Outcome::Exists)
