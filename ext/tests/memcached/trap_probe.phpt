--TEST--
Complaints 10 and 11: a dead server costs one attempt per interval, no miss, no exception, no other server's value
--EXTENSIONS--
larder
posix
--FILE--
<?php
require __DIR__ . '/server.inc';
require __DIR__ . '/peer.inc';

/* It takes connections and closes them at once: each attempt is counted. */
$peer = new Peer(function (Wire $wire): void {});
$here = MemcachedServer::unix();
$cache = new Larder\Memcached([$here->address, $peer->address], timeout: 500, retry: 400);
$keys = array_map(fn($number) => "key$number", range(1, 40));
$theirs = array_values(array_filter($keys, fn($key) => $cache->serverOf($key) === $peer->address));
$kinds = [];
$calls = $wrong = 0;
$begin = microtime(true);
for ($round = 0; microtime(true) - $begin < 1.0; $round++) {
    /* As one request after the other does. */
    $cache = new Larder\Memcached([$here->address, $peer->address], timeout: 500, retry: 400);
    $key = $theirs[$round % count($theirs)];
    $wrong += $cache->set($key, $round) === Larder\Outcome::Done ? 1 : 0;
    $failures = $cache->failures();
    $answer = $cache->read($key);
    $wrong += $answer->hit || $answer->answered ? 1 : 0;
    foreach ([...$failures, ...$cache->failures()] as $failure) {
        $kinds[$failure->kind->name] = true;
    }
    usleep(1000);
}
ksort($kinds);
/* At 0 and 0.4 s, and then not before 1.2 s: it waits twice as long each time. */
echo 'calls: ', $round > 100
    ? 'many'
    : $round,
    ', wrong: ',
    $wrong,
    ', attempts: ',
    $peer->connections(),
    ', as counted: ',
    $cache->info()[$peer->address]['connects'],
    ', ', implode(' ', array_keys($kinds)), ', others have of it: ', $here->stat('curr_items'), "\n";

/* 'next' is asked for: then the other server has them. */
$cache = new Larder\Memcached([$here->address, $peer->address], timeout: 500, retry: 400, failover: 'next');
$cache->setMultiple(array_fill_keys($keys, 'v'));
$outcomes = $cache->setMultiple(array_fill_keys($keys, 'v'));
var_dump(array_unique(array_column($outcomes, 'name')), count($cache->getMultiple($keys)), $here->stat('curr_items'));
?>
--EXPECT--
calls: many, wrong: 0, attempts: 2, as counted: 2, Closed Down, others have of it: 0
array(1) {
  [0]=>
  string(4) "Done"
}
int(40)
int(40)
