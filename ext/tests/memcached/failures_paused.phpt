--TEST--
A server that does not answer: reads end at the deadline, writes are unknown, and no later call gets an old reply
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
$cache = new Larder\Memcached($server->address, timeout: 300, retry: 1);
/* On a busy machine a server that runs may be late too: then it is asked again. */
$ask = static function (Closure $call) use ($cache): mixed {
    do {
        $answer = $call($cache);
    } while ($cache->failures() !== [] && usleep(50000) === null);

    return $answer;
};
$ask(static fn($cache) => $cache->setMultiple(['a' => 'A', 'b' => 'B', 'n' => 5]));
$server->pause();
var_dump($cache->get('a', 'default'), $cache->failures()[0]->kind);
echo str_replace($server->address, 'SERVER', $cache->failures()[0]->message), "\n";
usleep(20000);
var_dump($cache->increment('n') !== Larder\Outcome::Done);
$server->resume();
/* What the server had still to answer comes first. */
var_dump($ask(static fn($cache) => $cache->get('a')), $ask(static fn($cache) => $cache->get('b')));
var_dump($ask(static fn($cache) => $cache->getMultiple(['b', 'a'])));
var_dump(in_array($ask(static fn($cache) => $cache->get('n')), [5, 6], true));
?>
--EXPECT--
string(7) "default"
enum(Larder\FailureKind::TimedOut)
SERVER did not answer within 300 ms: it is overloaded or far away, or $timeout is too short
bool(true)
string(1) "A"
string(1) "B"
array(2) {
  ["b"]=>
  string(1) "B"
  ["a"]=>
  string(1) "A"
}
bool(true)
