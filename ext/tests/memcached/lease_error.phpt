--TEST--
Leases and clear() are refused on servers that are shared, and a life must be one
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
$cache = new Larder\Memcached($server->address, timeout: 5000);
$own = new Larder\Memcached($server->address, shared: false, timeout: 5000);
foreach ([
    fn() => $cache->getOrLease('key'),
    fn() => $cache->lease('key'),
    fn() => $cache->release('key', 1),
    fn() => $cache->set('key', 1, lease: 1),
    fn() => $cache->markStale('key'),
    fn() => $cache->clear(),
    fn() => $own->getOrLease('key', 0),
    fn() => $own->getOrLease('key', -1),
    fn() => $own->lease('key', NAN),
    fn() => $own->lease('key', 86401),
    fn() => $own->pipeline()->lease('key', INF),
    fn() => $own->markStale('key', NAN),
] as $call) {
    try {
        var_dump($call());
    } catch (Throwable $error) {
        echo $error::class, $error instanceof LogicException && $error instanceof Larder\Exception\LarderException
            ? ''
            : ': ' . $error->getMessage(), "\n";
    }
}
var_dump($server->stat('curr_items'), $server->stat('cmd_flush'));
?>
--EXPECT--
Larder\Exception\PoolIsShared
Larder\Exception\PoolIsShared
Larder\Exception\PoolIsShared
Larder\Exception\PoolIsShared
Larder\Exception\PoolIsShared
Larder\Exception\PoolIsShared
ValueError: Larder\Memcached::getOrLease(): Argument #2 ($seconds) must be greater than 0 and at most 86400
ValueError: Larder\Memcached::getOrLease(): Argument #2 ($seconds) must be greater than 0 and at most 86400
ValueError: Larder\Memcached::lease(): Argument #2 ($seconds) must be greater than 0 and at most 86400
ValueError: Larder\Memcached::lease(): Argument #2 ($seconds) must be greater than 0 and at most 86400
ValueError: Larder\Pipeline::lease(): Argument #2 ($seconds) must be greater than 0 and at most 86400
ValueError: Larder\Memcached::markStale(): Argument #2 ($ttl) must not be NAN
int(0)
int(0)
