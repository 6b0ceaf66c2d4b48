--TEST--
append and prepend: to the bytes of a string
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
$cache = new Larder\Memcached($server->address, timeout: 5000);
$say = fn(Larder\Outcome ...$outcomes) => print(implode(' ', array_column($outcomes, 'name')) . "\n");
$say($cache->append('key', 'x'), $cache->prepend('key', 'x'));
$cache->set('key', 'middle', 50);
$say($cache->append('key', ' end'), $cache->prepend('key', "start\0 "), $cache->append('key', ''));
var_dump($cache->get('key') === "start\0 middle end", preg_match('/ t(4|5)\d/', $server->ask('mg key t')));
$cache->setMultiple(['a' => 'A', 'b' => 'B']);
foreach ($cache->appendMultiple(['a' => '1', 'none' => '2', 'b' => '3']) as $key => $outcome) {
    echo "$key: {$outcome->name}\n";
}
echo json_encode($cache->getMultiple(['a', 'b', 'none'])), "\n";
try {
    $cache->appendMultiple(['a' => '1', 'b' => 2]);
} catch (TypeError $error) {
    echo $error->getMessage(), "\n";
}
echo json_encode($cache->getMultiple(['a', 'b'])), "\n";
?>
--EXPECT--
NotFound NotFound
Done Done Done
bool(true)
int(1)
a: Done
none: NotFound
b: Done
{"a":"A1","b":"B3"}
Larder\Memcached::appendMultiple(): Argument #1 ($bytes) must contain only strings, int found
{"a":"A1","b":"B3"}
