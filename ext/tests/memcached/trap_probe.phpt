--TEST--
Complaints 10 and 11: a dead server costs one attempt until its interval is over, and no other server has its values
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
$use = fn(int $retry) => new Larder\Memcached([$here->address, $peer->address], timeout: 5000, retry: $retry);
$cache = $use(60000);
$keys = array_map(fn($number) => "key$number", range(1, 40));
$theirs = array_values(array_filter($keys, fn($key) => $cache->serverOf($key) === $peer->address));
$kinds = [];
$wrong = 0;
for ($round = 0; $round < 300; $round++) {
    /* As one request after the other does. */
    $cache = $use(60000);
    $key = $theirs[$round % count($theirs)];
    $wrong += $cache->set($key, $round) === Larder\Outcome::Done ? 1 : 0;
    $failures = $cache->failures();
    $answer = $cache->read($key);
    $wrong += $answer->hit || $answer->answered ? 1 : 0;
    foreach ([...$failures, ...$cache->failures()] as $failure) {
        $kinds[$failure->kind->name] = true;
    }
}
ksort($kinds);
/* How the interval grows: ext/tests/core/test_pool_pause.c, by a clock that is held. */
echo 'wrong: ',
    $wrong,
    ', attempts: ',
    $peer->connections(),
    ', as counted: ',
    $cache->info()[$peer->address]['connects'],
    ', ', implode(' ', array_keys($kinds)), ', others have of it: ', $here->stat('curr_items'), "\n";

/* After a short one it is tried again, by whoever comes. */
for ($round = 0; $round < 10000 && $peer->connections() < 3; $round++) {
    $use(1)->get($theirs[0]);
    usleep(1000);
}
echo 'attempts: ', $peer->connections() < 3 ? 'no more' : 'more', "\n";

/* 'next' is asked for: then the other server has them. */
$cache = new Larder\Memcached([$here->address, $peer->address], timeout: 5000, retry: 400, failover: 'next');
$cache->setMultiple(array_fill_keys($keys, 'v'));
$outcomes = $cache->setMultiple(array_fill_keys($keys, 'v'));
var_dump(array_unique(array_column($outcomes, 'name')), count($cache->getMultiple($keys)), $here->stat('curr_items'));
?>
--EXPECT--
wrong: 0, attempts: 1, as counted: 1, Closed Down, others have of it: 0
attempts: more
array(1) {
  [0]=>
  string(4) "Done"
}
int(40)
int(40)
