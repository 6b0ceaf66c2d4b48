--TEST--
Objects are not copied, serialized, extended or made twice
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
$cache = new Larder\Memcached($server->address, timeout: 5000);
foreach ([
    fn() => clone $cache,
    fn() => serialize($cache),
    fn() => unserialize('O:16:"Larder\Memcached":0:{}'),
    fn() => $cache->anything = 1,
    fn() => $cache->__construct($server->address),
    fn() => (new ReflectionClass('Larder\Memcached'))->newInstanceWithoutConstructor(),
    fn() => $cache->stats('reset'),
    fn() => $cache->get(),
    fn() => $cache->get([]),
    fn() => $cache->getMultiple('key'),
] as $call) {
    try {
        $call();
        echo "not refused\n";
    } catch (Throwable $error) {
        echo $error::class, ': ', $error->getMessage(), "\n";
    }
}
var_dump($cache instanceof Larder\Store, $cache->set('key', 1));
?>
--EXPECT--
Error: Trying to clone an uncloneable object of class Larder\Memcached
Exception: Serialization of 'Larder\Memcached' is not allowed
Exception: Unserialization of 'Larder\Memcached' is not allowed
Error: Cannot create dynamic property Larder\Memcached::$anything
Error: The Larder\Memcached object has been constructed already
ReflectionException: Class Larder\Memcached is an internal class marked as final that cannot be instantiated without invoking its constructor
ValueError: Larder\Memcached::stats(): Argument #1 ($group) must be "", "settings", "items", "slabs", "sizes" or "conns"
ArgumentCountError: Larder\Memcached::get() expects at least 1 argument, 0 given
TypeError: Larder\Memcached::get(): Argument #1 ($key) must be of type string, array given
TypeError: Larder\Memcached::getMultiple(): Argument #1 ($keys) must be of type array, string given
bool(true)
enum(Larder\Outcome::Done)
