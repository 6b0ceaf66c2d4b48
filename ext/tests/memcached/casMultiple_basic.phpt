--TEST--
casMultiple: each key by its own version
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
$cache = new Larder\Memcached($server->address, timeout: 5000);
$cache->setMultiple(['a' => 1, 'b' => 2, '7' => 3]);
$versions = array_map(fn($answer) => $answer->version, $cache->readMultiple(['a', 'b', '7', 'none']));
var_dump(count(array_unique($versions)));
$cache->set('b', 'moved');
foreach ($cache->casMultiple(['a' => 10, 'b' => 20, '7' => 30, 'none' => 40], $versions) as $key => $outcome) {
    echo "$key: {$outcome->name}\n";
}
echo json_encode($cache->getMultiple(['a', 'b', '7', 'none'])), "\n";
var_dump($cache->casMultiple([], []));
foreach ([
    fn() => $cache->casMultiple(['a' => 1], []),
    fn() => $cache->casMultiple(['a' => 1], ['a' => '5']),
    fn() => $cache->casMultiple(['a' => 1], ['a' => 5], NAN),
] as $call) {
    try {
        $call();
    } catch (Error $error) {
        echo $error::class, ': ', $error->getMessage(), "\n";
    }
}
var_dump($cache->get('a'));
?>
--EXPECT--
int(4)
a: Done
b: Exists
7: Done
none: NotFound
{"a":10,"b":"moved","7":30}
array(0) {
}
ValueError: Larder\Memcached::casMultiple(): Argument #2 ($versions) must have a version for each key of the values
TypeError: Larder\Memcached::casMultiple(): Argument #2 ($versions) must contain only integers, string found
ValueError: Larder\Memcached::casMultiple(): Argument #3 ($ttl) must not be NAN
int(10)
