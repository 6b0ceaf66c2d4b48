--TEST--
mirror: a server that comes back empty costs no value, and what only one of two servers has done is told
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$servers = [MemcachedServer::unix(), MemcachedServer::unix(), MemcachedServer::unix()];
$cache = new Larder\Memcached(
    array_column($servers, 'address'),
    timeout: 2000,
    retry: 60000,
    failover: 'mirror',
    shared: false,
);
$keys = array_map(fn(int $number) => "key$number", range(1, 300));
$values = array_combine($keys, range(1, 300));
$cache->setMultiple($values, 1000);
$there = fn(): int => count($cache->getMultiple($keys));
$batches = fn(): int => array_sum(array_column($cache->info(), 'batches'));
$show = fn(mixed ...$results) => print(json_encode($results) . ' ' . implode(
    ' ',
    array_map(fn($failure) => $failure->kind->name, $cache->failures()),
) . "\n");

/* Hits are one round trip to each server; misses one more. */
$before = $batches();
$show($there(), $batches() - $before);
$servers[0]->stop();
$servers[0]->start();
$lost = array_values(array_filter($keys, fn(string $key) => $cache->serverOf($key) === $servers[0]->address));
$show($cache->getMultiple($keys) === $values, count($lost) > 60);
[$key, $other, $gone, $counter, $stale] = $lost;
$answer = $cache->read($key);
$show($answer->value === $values[$key], $answer->version, $cache->has($key), $cache->touch($key, 900)->name);
/* A version of the other server's would be another one here. */
$show($cache->cas($key, 'x', $answer->version)->name, $cache->get($key) === $values[$key]);

echo "Changes reach the copy:\n";
$show($cache->delete($gone)->name, $cache->get($gone));
$show($cache->set($other, 'new')->name, $cache->increment($counter, 1, 1000), $cache->markStale($stale)->name);
$show($cache->append($other, 'er')->name, $cache->getAndTouch($other, 500)->value);
$servers[0]->stop();
$servers[0]->start();
$show(array_values($cache->getMultiple([$gone, $other])), $cache->read($stale)->stale);
/* Its copy had counted from another number, so that was taken away. */
$show($cache->get($counter));

echo "With a server that is dead:\n";
$servers[0]->stop();
$show($there());
$show($cache->set($key, 'new')->name);
$show($cache->delete($key)->name);
$show($cache->delete($key)->name);
$seconds = array_values(array_filter($keys, fn(string $key) => $cache->serverOf($key) !== $servers[0]->address));
$outcomes = array_count_values(array_column($cache->deleteMultiple($seconds), 'name'));
$show(isset($outcomes['Done'], $outcomes['Unknown']), count($outcomes), array_sum($outcomes) === count($seconds));
?>
--EXPECT--
[300,3] 
[true,true] 
[true,0,true,"Done"] 
["NotFound",true] 
Changes reach the copy:
["Done",null] 
["Done",1000,"Done"] 
["Done","newer"] 
[["newer"],true] 
[null] 
With a server that is dead:
[298] 
["Done"] Down
["Unknown"] Down
["Unknown"] Down
[true,2,true] Down
