--TEST--
One server of two is gone: the other's keys are served, and one failure is told for all keys
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$here = MemcachedServer::unix();
$gone = MemcachedServer::unix();
$cache = new Larder\Memcached([$here->address, $gone->address], retry: 60000);
$keys = array_map(fn($number) => "key$number", range(1, 100));
$cache->setMultiple(array_fill_keys($keys, 'v'));
$theirs = array_values(array_filter($keys, fn($key) => $cache->serverOf($key) === $gone->address));
$ours = array_values(array_diff($keys, $theirs));
var_dump(count($theirs) > 20, count($ours) > 20);
$gone->stop();
var_dump(
    array_keys($cache->getMultiple($keys)) === $ours,
    count($cache->failures()),
    $cache->failures()[0]->server === $gone->address,
    $cache->failures()[0]->key,
);
$outcomes = $cache->setMultiple(array_fill_keys($keys, 'w'));
var_dump(
    array_keys(array_filter($outcomes, fn($outcome) => $outcome === Larder\Outcome::Done)) === $ours,
    $outcomes[$theirs[0]],
);
$answers = $cache->readMultiple([$ours[0], $theirs[0]]);
var_dump($answers[$ours[0]]->value, $answers[$theirs[0]]->answered);
var_dump($cache->get($ours[0]), $cache->failures());
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
int(1)
bool(true)
NULL
bool(true)
enum(Larder\Outcome::Refused)
string(1) "w"
bool(false)
string(1) "w"
array(0) {
}
