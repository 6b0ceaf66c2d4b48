--TEST--
getOrLease: a hit, or the right to compute for one
--EXTENSIONS--
larder
--FILE--
<?php
$memory = new Larder\SharedMemory();
$winner = $memory->getOrLease('key');
$second = $memory->getOrLease('key');
var_dump($winner->hit, is_int($winner->lease), $second->hit, $second->lease);
var_dump($memory->set('key', null, 0.1, $winner->lease));

$hit = $memory->getOrLease('key');
var_dump($hit->hit, $hit->value, $hit->lease, $hit->version === $memory->read('key')->version);
usleep(150000);
var_dump(is_int($memory->getOrLease('key')->lease), $memory->getOrLease('key')->lease);

var_dump(is_int($memory->getOrLease('brief', 0.05)->lease), $memory->getOrLease('brief')->lease);
usleep(100000);
var_dump(is_int($memory->getOrLease('brief')->lease));
?>
--EXPECT--
bool(false)
bool(true)
bool(false)
NULL
enum(Larder\Outcome::Done)
bool(true)
NULL
NULL
bool(true)
bool(true)
NULL
bool(true)
NULL
bool(true)
