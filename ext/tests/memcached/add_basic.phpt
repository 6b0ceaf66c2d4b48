--TEST--
add, replace, cas and delete: their conditions
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
$cache = new Larder\Memcached($server->address, timeout: 5000);
$say = fn(Larder\Outcome ...$outcomes) => print(implode(' ', array_column($outcomes, 'name')) . "\n");
$say($cache->add('key', 1), $cache->add('key', 2), $cache->replace('key', 3), $cache->replace('none', 4));
var_dump($cache->get('key'), $cache->has('none'));
$version = $cache->read('key')->version;
$say(
    $cache->cas('key', 5, $version + 1),
    $cache->cas('key', 6, 0),
    $cache->cas('key', 6, -1),
    $cache->cas('key', 7, $version),
    $cache->cas('key', 8, $version),
);
$say($cache->cas('none', 9, $version), $cache->cas('none', 9, 0));
var_dump($cache->get('key'), $cache->has('none'));
$say($cache->delete('key'), $cache->delete('key'), $cache->add('key', 10), $cache->cas('key', 11, $version));
var_dump($cache->get('key'));
?>
--EXPECT--
Done Exists Done NotFound
int(3)
bool(false)
Exists Exists Exists Done Exists
NotFound NotFound
int(7)
bool(false)
Done NotFound Done Exists
int(10)
