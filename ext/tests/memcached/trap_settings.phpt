--TEST--
W27 to W30: deleting many does not end at a failure, time-outs are milliseconds, no list grows, and weights are kept
--EXTENSIONS--
larder
posix
--FILE--
<?php
require __DIR__ . '/server.inc';
require __DIR__ . '/peer.inc';

$hanging = new Peer(fn(Wire $wire) => $wire->awaitClose());
$a = MemcachedServer::unix();
$b = MemcachedServer::unix();
/* W27: keys that are not there, and a server that is not. */
$cache = new Larder\Memcached([$a->address, $b->address, MemcachedServer::nobody()], retry: 60000);
$keys = array_map(fn($number) => "key$number", range(1, 60));
$cache->setMultiple(array_fill_keys($keys, 1));
$missing = array_map(fn($number) => "missing$number", range(1, 60));
$outcomes = $cache->deleteMultiple([...$missing, ...$keys, 'none']);
var_dump(count($outcomes), count($cache->getMultiple($keys)), $a->stat('curr_items') + $b->stat('curr_items'));
$names = array_count_values(array_column($outcomes, 'name'));
ksort($names);
echo implode(' ', array_keys($names)), "\n";
/* W28: not seconds, and not so short that a server on this host is missed. */
/* The best of a few: a busy machine can only lengthen it, and seconds would be a thousand times as long. */
foreach ([30, 120] as $timeout) {
    $took = [];
    for ($try = 0; $try < 5; $try++) {
        $cache = new Larder\Memcached($hanging->address, timeout: $timeout, retry: 1);
        $begin = hrtime(true);
        $cache->get('key');
        $took[] = (hrtime(true) - $begin) / 1e6;
        $cache->close();
        /* A server that is silent is left alone: for 1, 2, 4, 8 ms. */
        usleep(20000);
    }
    echo min($took) >= $timeout * 0.9 && min($took) < $timeout * 100
        ? 'in time'
        : implode(' ', $took) . ' ms', "\n";
}
$failed = 0;
for ($number = 0; $number < 50; $number++) {
    $cache = new Larder\Memcached($a->address);
    $cache->close();
    $cache->set('key', $number);
    $failed += count($cache->failures());
}
var_dump($failed);
/* W29: the same list a thousand times, with so many keys that each server has some, whatever its path is. */
$many = array_slice($keys, 0, 40);
$before = $a->stat('total_connections');
for ($number = 0; $number < 1000; $number++) {
    $cache = new Larder\Memcached([$a->address, $b->address]);
    $cache->getMultiple($many);
}
/* The one that asks for it is counted too. */
var_dump(count($cache->info()), $a->stat('total_connections') - $before - 1);
/* W30: of two servers, one has three parts of four. */
foreach (['larder', 'ketama'] as $ring) {
    $cache = new Larder\Memcached([$a->address => 3, $b->address => 1], ring: $ring);
    $of = array_count_values(array_map(fn($number) => $cache->serverOf("key$number"), range(1, 4000)));
    var_dump(abs($of[$a->address] / 4000 - 0.75) < 0.1);
}
?>
--EXPECT--
int(121)
int(0)
int(0)
Done NotFound Refused
in time
in time
int(0)
int(2)
int(1)
bool(true)
bool(true)
