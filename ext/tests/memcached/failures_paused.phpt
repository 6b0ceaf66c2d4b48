--TEST--
A server that does not answer: reads end at the deadline, writes are unknown, and no later call gets an old reply
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
$cache = new Larder\Memcached($server->address, timeout: 300, retry: 1);
$cache->setMultiple(['a' => 'A', 'b' => 'B', 'n' => 5]);
$server->pause();
$begin = microtime(true);
var_dump($cache->get('a', 'default'), $cache->failures()[0]->kind);
echo str_replace($server->address, 'SERVER', $cache->failures()[0]->message), "\n";
usleep(20000);
$outcome = $cache->increment('n');
var_dump($outcome !== Larder\Outcome::Done, microtime(true) - $begin < 3);
$server->resume();
/* The server comes back when this machine lets it; what it had still to answer comes first. */
for ($until = microtime(true) + 10; $cache->get('a') !== 'A' && microtime(true) < $until;) {
    usleep(50000);
}
var_dump($cache->get('b'), $cache->get('a'), $cache->getMultiple(['b', 'a']), in_array($cache->get('n'), [5, 6], true));
?>
--EXPECT--
string(7) "default"
enum(Larder\FailureKind::TimedOut)
SERVER did not answer within 300 ms: it is overloaded or far away, or $timeout is too short
bool(true)
bool(true)
string(1) "B"
string(1) "A"
array(2) {
  ["b"]=>
  string(1) "B"
  ["a"]=>
  string(1) "A"
}
bool(true)
