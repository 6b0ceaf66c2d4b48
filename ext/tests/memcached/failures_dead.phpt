--TEST--
A server that is not there: reads miss, writes are refused, and failures() tells
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$address = MemcachedServer::nobody();
$cache = new Larder\Memcached($address, retry: 60000, shared: false);
var_dump(
    $cache->get('key', 'default'),
    $cache->failures()[0]->kind,
    $cache->failures()[0]->server === $address,
    $cache->failures()[0]->key,
);
echo str_replace($address, 'SERVER', $cache->failures()[0]->message), "\n";
var_dump($cache->read('key')->answered, $cache->failures()[0]->kind);
echo str_replace($address, 'SERVER', $cache->failures()[0]->message), "\n";
$name = fn(mixed $result) => $result instanceof Larder\Outcome ? $result->name : json_encode($result);
foreach ([
    fn() => $cache->getMultiple(['a', 'b']),
    fn() => $cache->readMultiple(['a'])['a']->answered,
    fn() => $cache->has('key'),
    fn() => $cache->set('key', 1),
    fn() => $cache->add('key', 1),
    fn() => $cache->setMultiple(['a' => 1, 'b' => 2])['b'],
    fn() => $cache->delete('key'),
    fn() => $cache->increment('key'),
    fn() => $cache->getOrLease('key')->answered,
    fn() => $cache->lease('key'),
    fn() => $cache->release('key', 5),
    fn() => $cache->markStale('key'),
    fn() => $cache->pipeline()->read('a')->set('b', 1)->run()[1],
    fn() => $cache->clear(),
    fn() => array_values($cache->stats()),
    fn() => array_values($cache->version()),
] as $call) {
    echo $name($call()), ' ', implode(' ', array_map(fn($failure) => $failure->kind->name, $cache->failures())), "\n";
}
$info = $cache->info()[$address];
var_dump($info['connects'], $info['down'], $info['refusedDown'] > 10);
foreach ([
    fn() => new Larder\Failure(),
    fn() => serialize($cache->failures()),
    fn() => $cache->failures()[0]->kind = null,
] as $call) {
    try {
        $cache->get('key');
        $call();
    } catch (Throwable $error) {
        echo $error->getMessage(), "\n";
    }
}
?>
--EXPECT--
string(7) "default"
enum(Larder\FailureKind::Unreachable)
bool(true)
NULL
SERVER cannot be reached: see that memcached is running there and that the address is right
bool(false)
enum(Larder\FailureKind::Down)
SERVER is known to be dead and was not asked; it is tried again after the retry interval ($retry)
[] Down
false Down
false Down
Refused Down
Refused Down
Refused Down
Refused Down
Refused Down
false Down
null Down
false Down
Refused Down
Refused Down
Refused Down
[null] Down
[null] Down
int(1)
bool(true)
bool(true)
Call to private Larder\Failure::__construct() from global scope
Serialization of 'Larder\Failure' is not allowed
Cannot modify readonly property Larder\Failure::$kind
