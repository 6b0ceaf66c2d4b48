--TEST--
increment: arguments that are refused
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
$cache = new Larder\Memcached($server->address, timeout: 5000);
$cache->set('k', 5);
foreach ([
    fn() => $cache->decrement('k', PHP_INT_MIN),
    fn() => $cache->decrementMultiple(['k'], PHP_INT_MIN),
    fn() => $cache->increment('k', 1, 1, NAN),
    fn() => $cache->incrementMultiple(['k', 'l', 'k']),
    fn() => $cache->incrementMultiple([7, '7']),
    fn() => $cache->pipeline()->decrement('k', PHP_INT_MIN),
    fn() => $cache->increment('k', []),
] as $call) {
    try {
        var_dump($call());
    } catch (Error $error) {
        echo $error::class, ': ', $error->getMessage(), "\n";
    }
}
var_dump($cache->get('k'));
?>
--EXPECT--
ValueError: Larder\Memcached::decrement(): Argument #2 ($by) must be greater than PHP_INT_MIN
ValueError: Larder\Memcached::decrementMultiple(): Argument #2 ($by) must be greater than PHP_INT_MIN
ValueError: Larder\Memcached::increment(): Argument #4 ($ttl) must not be NAN
ValueError: Larder\Memcached::incrementMultiple(): Argument #1 ($keys) must contain each key once, "k" is there again
ValueError: Larder\Memcached::incrementMultiple(): Argument #1 ($keys) must contain each key once, "7" is there again
ValueError: Larder\Pipeline::decrement(): Argument #2 ($by) must be greater than PHP_INT_MIN
TypeError: Larder\Memcached::increment(): Argument #2 ($by) must be of type int, array given
int(5)
