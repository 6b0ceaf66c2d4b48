--TEST--
A key is 1 to 250 bytes as it is sent: all calls refuse another length before anything is sent
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
$plain = new Larder\Memcached($server->address, shared: false, timeout: 5000);
$prefixed = new Larder\Memcached($server->address, prefix: 'site:', shared: false, timeout: 5000);

function calls(Larder\Memcached $cache): array
{
    $calls = [
        'set' => fn(string $key) => $cache->set($key, 1),
        'add' => fn(string $key) => $cache->add($key, 1),
        'replace' => fn(string $key) => $cache->replace($key, 1),
        'cas' => fn(string $key) => $cache->cas($key, 1, 1),
        'append' => fn(string $key) => $cache->append($key, 'x'),
        'prepend' => fn(string $key) => $cache->prepend($key, 'x'),
        'release' => fn(string $key) => $cache->release($key, 1),
        'getMultiple' => fn(string $key) => $cache->getMultiple(['k', $key]),
        'readMultiple' => fn(string $key) => $cache->readMultiple(['k', $key]),
        'setMultiple' => fn(string $key) => $cache->setMultiple(['k' => 2, $key => 2]),
        'casMultiple' => fn(string $key) => $cache->casMultiple(['k' => 2, $key => 2], ['k' => 1, $key => 1]),
        'appendMultiple' => fn(string $key) => $cache->appendMultiple(['k' => 'x', $key => 'x']),
        'deleteMultiple' => fn(string $key) => $cache->deleteMultiple(['k', $key]),
        'touchMultiple' => fn(string $key) => $cache->touchMultiple(['k', $key], -1),
        'incrementMultiple' => fn(string $key) => $cache->incrementMultiple(['k', $key]),
        'decrementMultiple' => fn(string $key) => $cache->decrementMultiple(['k', $key]),
        'pipeline' => fn(string $key) => $cache->pipeline()->delete($key),
    ];
    foreach ([
        'get', 'read', 'gets', 'has', 'delete', 'touch', 'getAndTouch', 'increment', 'decrement', 'getOrLease', 'lease',
        'markStale', 'serverOf',
    ] as $name) {
        $calls[$name] = fn(string $key) => $cache->$name($key);
    }
    return $calls;
}

$plain->set('k', 1);
foreach ([[$plain, 250, 186], [$prefixed, 245, 181]] as [$cache, $most, $most_binary]) {
    $refused = $called = 0;
    $requests = $cache->info()[$server->address]['requests'];
    foreach (calls($cache) as $name => $call) {
        foreach (['', str_repeat('k', $most + 1), str_repeat("\n", $most_binary + 1)] as $key) {
            $called++;
            try {
                $call($key);
                echo "$name took ", strlen($key), " bytes\n";
            } catch (ValueError $error) {
                $refused++;
            }
        }
    }
    var_dump($refused === $called, $requests === $cache->info()[$server->address]['requests']);
    foreach (["a" => $most, "\n" => $most_binary, ' ' => $most_binary, "\x7f" => $most_binary] as $byte => $size) {
        var_dump(
            $cache->set(str_repeat($byte, $size), $size) === Larder\Outcome::Done
                && $cache->get(str_repeat($byte, $size)) === $size,
        );
    }
}
var_dump($plain->get('k'));
foreach ([
    fn() => $plain->get(''),
    fn() => $plain->get(str_repeat('k', 251)),
    fn() => $prefixed->get(str_repeat(' ', 200)),
    fn() => $prefixed->getMultiple(['k', str_repeat('k', 300)]),
    fn() => $plain->getMultiple(['k', null]),
    fn() => $plain->getMultiple(['k', ['k']]),
    fn() => $plain->deleteMultiple([1.5]),
] as $call) {
    try {
        $call();
    } catch (Error $error) {
        echo $error::class, ': ', $error->getMessage(), "\n";
    }
}
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
int(1)
ValueError: Larder\Memcached::get(): Argument #1 ($key) must be 1 to 250 bytes long as it is sent, 0 given
ValueError: Larder\Memcached::get(): Argument #1 ($key) must be 1 to 250 bytes long as it is sent, 251 given
ValueError: Larder\Memcached::get(): Argument #1 ($key) must be 1 to 181 bytes long as it is sent behind the prefix in base64, for its control bytes or spaces, 200 given
ValueError: Larder\Memcached::getMultiple(): Argument #1 ($keys) must contain only keys that are 1 to 245 bytes long as they are sent behind the prefix, 300 given
TypeError: Larder\Memcached::getMultiple(): Argument #1 ($keys) must contain only strings, null found
TypeError: Larder\Memcached::getMultiple(): Argument #1 ($keys) must contain only strings, array found
TypeError: Larder\Memcached::deleteMultiple(): Argument #1 ($keys) must contain only strings, float found
