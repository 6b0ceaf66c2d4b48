--TEST--
TooLarge: the failure names size and limit
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
$cache = new Larder\Memcached($server->address, prefix: 'p:');
$cache->set('large', 'small');
var_dump($cache->set('large', str_repeat('x', 1048576)));
foreach ($cache->failures() as $failure) {
    var_dump($failure->kind, $failure->key, $failure->size, $failure->limit);
    echo str_replace($server->address, 'SERVER', $failure->message), "\n";
}
$outcomes = $cache->setMultiple([
    'a' => 'small',
    'b' => str_repeat('y', 1100000),
    'c' => 'small',
    "d\n" => str_repeat('z', 3000000),
    'e' => 'small',
]);
echo json_encode(array_column($outcomes, 'name')), ' ', json_encode(
    array_map(fn($failure) => [$failure->key, $failure->size], $cache->failures()),
), "\n";
echo json_encode($cache->getMultiple(['a', 'b', 'c', "d\n", 'e'])), ' ', json_encode($cache->failures()), "\n";
var_dump($cache->info()[$server->address]['connects']);
?>
--EXPECT--
enum(Larder\Outcome::Refused)
enum(Larder\FailureKind::TooLarge)
string(5) "large"
int(1048576)
int(1048576)
"large": SERVER takes no item of that size: the value has 1048576 bytes and the limit is 1048576, key and all; store less, choose a $compressor, or raise the server's option -I
["Done","Refused","Done","Refused","Done"] [["b",1100000],["d\n",3000000]]
{"a":"small","c":"small","e":"small"} []
int(1)
