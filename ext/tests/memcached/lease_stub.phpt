--TEST--
Every call takes a lease's stub for a miss
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
$cache = new Larder\Memcached($server->address, shared: false, timeout: 5000);
foreach ([
    'get' => fn(string $key) => $cache->get($key, 'missed'),
    'read' => fn(string $key) => $cache->read($key)->hit,
    'getMultiple' => fn(string $key) => $cache->getMultiple([$key, 'none']),
    'getMultiple, in a line' => fn(string $key) => $cache->getMultiple(['none', $key, 'no']),
    'readMultiple' => fn(string $key) => $cache->readMultiple([$key])[$key]->hit,
    'has' => fn(string $key) => $cache->has($key),
    'getAndTouch' => fn(string $key) => $cache->getAndTouch($key, 50)->hit,
    'touch' => fn(string $key) => $cache->touch($key, 50),
    'touchMultiple' => fn(string $key) => $cache->touchMultiple([$key], 50)[$key],
    'replace' => fn(string $key) => $cache->replace($key, 'replaced'),
    'append' => fn(string $key) => $cache->append($key, 'x'),
    'prepend' => fn(string $key) => $cache->prepend($key, 'x'),
    'appendMultiple' => fn(string $key) => $cache->appendMultiple([$key => 'x'])[$key],
    'cas' => fn(string $key) => $cache->cas($key, 'x', 12345),
    'cas 0' => fn(string $key) => $cache->cas($key, 'x', 0),
    'casMultiple' => fn(string $key) => $cache->casMultiple([$key => 'x'], [$key => 12345])[$key],
    'increment' => fn(string $key) => $cache->increment($key),
    'decrementMultiple' => fn(string $key) => $cache->decrementMultiple([$key])[$key],
    'delete' => fn(string $key) => $cache->delete($key),
    'markStale' => fn(string $key) => $cache->markStale($key),
    'increment with an initial value' => fn(string $key) => $cache->increment($key, 5, 10),
    'add' => fn(string $key) => $cache->add($key, 'added'),
    'set' => fn(string $key) => $cache->set($key, 'set'),
] as $name => $call) {
    $key = strtr($name, ' ', '-');
    $lease = $cache->getOrLease($key, 60)->lease;
    $result = $call($key);
    $result = $result instanceof Larder\Outcome ? $result->name : json_encode($result);
    echo "$name: $result, ", json_encode($cache->get($key)), ', then the lease is ', $cache->set(
        $key,
        'made',
        lease: $lease,
    ) === Larder\Outcome::Done
        ? 'held'
        : 'lost', "\n";
}
?>
--EXPECT--
get: "missed", null, then the lease is held
read: false, null, then the lease is held
getMultiple: [], null, then the lease is held
getMultiple, in a line: [], null, then the lease is held
readMultiple: false, null, then the lease is held
has: false, null, then the lease is held
getAndTouch: false, null, then the lease is held
touch: NotFound, null, then the lease is held
touchMultiple: NotFound, null, then the lease is held
replace: NotFound, null, then the lease is held
append: NotFound, null, then the lease is held
prepend: NotFound, null, then the lease is held
appendMultiple: NotFound, null, then the lease is held
cas: NotFound, null, then the lease is held
cas 0: NotFound, null, then the lease is held
casMultiple: NotFound, null, then the lease is held
increment: NotFound, null, then the lease is held
decrementMultiple: NotFound, null, then the lease is held
delete: NotFound, null, then the lease is lost
markStale: NotFound, null, then the lease is lost
increment with an initial value: 10, 10, then the lease is lost
add: Done, "added", then the lease is lost
set: Done, "set", then the lease is lost
