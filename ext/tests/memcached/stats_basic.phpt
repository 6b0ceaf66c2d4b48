--TEST--
stats, version, info, serverOf, clear and close
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$servers = [MemcachedServer::unix('-m', '77'), MemcachedServer::tcp('-m', '78')];
$addresses = array_column($servers, 'address');
$cache = new Larder\Memcached($addresses, prefix: 'p:', shared: false, timeout: 5000);
$cache->setMultiple(array_fill_keys(range(1, 40), 'v'));
var_dump(
    array_keys($cache->version()) === $addresses,
    preg_match('/^\d+\.\d+\.\d+$/', $cache->version()[$addresses[1]]),
);
$stats = $cache->stats();
var_dump(
    array_keys($stats) === $addresses,
    array_sum(array_column($stats, 'curr_items')),
    array_column($cache->stats('settings'), 'maxbytes') === [(string) (77 << 20), (string) (78 << 20)],
);
foreach (['items', 'slabs', 'sizes', 'conns'] as $group) {
    echo $group, ' ', count(array_filter($cache->stats($group), 'is_array')), "\n";
}
$found = [];
foreach (range(1, 40) as $number) {
    $server = $servers[array_search($cache->serverOf((string) $number), $addresses, true)];
    $found[] = str_starts_with($server->ask("mg p:$number v"), 'VA');
}
var_dump(in_array(false, $found, true));
$info = $cache->info();
echo implode(' ', array_keys($info[$addresses[0]])), "\n";
var_dump(
    array_keys($info) === $addresses,
    array_column($info, 'connects'),
    array_column($info, 'down'),
    $info[$addresses[0]]['bytesSent'] > 0,
    $info[$addresses[0]]['bytesReceived'] > 0,
);
$before = $servers[0]->stat('curr_connections');
$cache->close();
usleep(20000);
var_dump(
    $servers[0]->stat('curr_connections') - $before,
    $cache->get('1'),
    array_sum(array_column($cache->info(), 'connects')),
);
var_dump($cache->clear(), $cache->getMultiple(range(1, 40)), $cache->set('1', 'again'), $cache->get('1'));
$servers[1]->stop();
var_dump(
    $cache->clear() !== Larder\Outcome::Done,
    array_map('is_array', array_values($cache->stats())),
    is_string($cache->version()[$addresses[0]]),
    $cache->version()[$addresses[1]],
);
?>
--EXPECT--
bool(true)
int(1)
bool(true)
int(40)
bool(true)
items 2
slabs 2
sizes 2
conns 2
bool(false)
connects connectFailures batches requests bytesSent bytesReceived timeouts closedInDoubt refusedDown udpAsked udpAnswered udpLost udpDropped udpLong udpFallbacks down
bool(true)
array(2) {
  [0]=>
  int(1)
  [1]=>
  int(1)
}
array(2) {
  [0]=>
  bool(false)
  [1]=>
  bool(false)
}
bool(true)
bool(true)
int(-1)
string(1) "v"
int(3)
enum(Larder\Outcome::Done)
array(0) {
}
enum(Larder\Outcome::Done)
string(5) "again"
bool(true)
array(2) {
  [0]=>
  bool(true)
  [1]=>
  bool(false)
}
bool(true)
NULL
