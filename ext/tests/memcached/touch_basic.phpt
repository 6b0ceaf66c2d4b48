--TEST--
touch, touchMultiple and getAndTouch
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
$cache = new Larder\Memcached($server->address, timeout: 5000);
$left = fn(string $key) => preg_match('/ t(-?\d+)/', $server->ask("mg $key t"), $match) === 1 ? (int) $match[1] : null;
$cache->setMultiple(['a' => 'A', 'b' => 'B'], 10);
$version = $cache->read('a')->version;
var_dump($cache->touch('a', 100), $left('a') > 90, $left('b') <= 10, $cache->touch('none', 5));
$answer = $cache->getAndTouch('b', 1000);
var_dump(
    $answer->hit,
    $answer->value,
    $answer->version === $cache->read('b')->version,
    $left('b') > 900,
    $cache->getAndTouch('none')->hit,
);
foreach ($cache->touchMultiple(['a', 'b', 'none'], 500) as $key => $outcome) {
    echo "$key: {$outcome->name} ", json_encode($left($key) > 400), "\n";
}
var_dump($cache->read('a')->version === $version);
?>
--EXPECT--
enum(Larder\Outcome::Done)
bool(true)
bool(true)
enum(Larder\Outcome::NotFound)
bool(true)
string(1) "B"
bool(true)
bool(true)
bool(false)
a: Done true
b: Done true
none: NotFound false
bool(true)
