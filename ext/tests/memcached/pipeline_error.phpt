--TEST--
pipeline: what is refused is not queued, and the rest stays
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
$cache = new Larder\Memcached($server->address, timeout: 5000);
$pipeline = $cache->pipeline()->set('a', 1);
foreach ([
    fn() => $pipeline->get('a'),
    fn() => $pipeline->read(''),
    fn() => $pipeline->set('b', fn() => 1),
    fn() => $pipeline->set(str_repeat('b', 251), 1),
    fn() => $pipeline->set('b', 1, NAN),
    fn() => $pipeline->set('b', 1, null, 5),
    fn() => $pipeline->getOrLease('b'),
    fn() => $pipeline->lease('b'),
    fn() => $pipeline->release('b', 1),
    fn() => $pipeline->markStale('b'),
    fn() => new Larder\Pipeline(),
    fn() => clone $pipeline,
    fn() => serialize($pipeline),
    fn() => $pipeline->calls = 1,
    fn() => (new ReflectionClass('Larder\Pipeline'))->newInstanceWithoutConstructor(),
] as $call) {
    try {
        $call();
        echo "not refused\n";
    } catch (Throwable $error) {
        echo $error::class, ': ', $error->getMessage(), "\n";
    }
}
var_dump($pipeline->count(), $pipeline->run(), $cache->getMultiple(['a', 'b']));
/* It holds on to its store. */
$pipeline = (new Larder\Memcached($server->address, timeout: 5000))->pipeline()->read('a');
var_dump($pipeline->run()[0]->value);
?>
--EXPECT--
Error: Call to undefined method Larder\Pipeline::get()
ValueError: Larder\Pipeline::read(): Argument #1 ($key) must be 1 to 250 bytes long as it is sent, 0 given
Larder\Exception\UnstorableValue: $value is an object of class Closure, which cannot be serialized; null, bool, int, float, string, array, enum and serializable objects can be stored
ValueError: Larder\Pipeline::set(): Argument #1 ($key) must be 1 to 250 bytes long as it is sent, 251 given
ValueError: Larder\Pipeline::set(): Argument #3 ($ttl) must not be NAN
Larder\Exception\PoolIsShared: Other clients may use these servers, and would take a lease for a value: construct Larder\Memcached with shared: false if there are none
Larder\Exception\PoolIsShared: Other clients may use these servers, and would take a lease for a value: construct Larder\Memcached with shared: false if there are none
Larder\Exception\PoolIsShared: Other clients may use these servers, and would take a lease for a value: construct Larder\Memcached with shared: false if there are none
Larder\Exception\PoolIsShared: Other clients may use these servers, and would take a lease for a value: construct Larder\Memcached with shared: false if there are none
Larder\Exception\PoolIsShared: Other clients may use these servers, and would take a lease for a value: construct Larder\Memcached with shared: false if there are none
Error: Call to private Larder\Pipeline::__construct() from global scope
Error: Trying to clone an uncloneable object of class Larder\Pipeline
Exception: Serialization of 'Larder\Pipeline' is not allowed
Error: Cannot create dynamic property Larder\Pipeline::$calls
ReflectionException: Class Larder\Pipeline is an internal class marked as final that cannot be instantiated without invoking its constructor
int(1)
array(1) {
  [0]=>
  enum(Larder\Outcome::Done)
}
array(1) {
  ["a"]=>
  int(1)
}
int(1)
