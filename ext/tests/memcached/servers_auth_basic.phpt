--TEST--
servers with -Y: user and password are sent once for a connection
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/servers_auth.inc';
$server = auth_server();
$cache = new Larder\Memcached($server->address, timeout: 5000, user: 'site', password: 'pass:word');
var_dump($cache->set('key', 'value'), $cache->get('key'), $cache->increment('n', initial: 7));
$cache->setMultiple(['a' => 1, 'b' => 2]);
var_dump($cache->getMultiple(['a', 'b']), $cache->failures());
$stats = $cache->stats()[$server->address];
var_dump((int) $stats['auth_cmds'], (int) $stats['auth_errors'], $cache->info()[$server->address]['connects']);

echo "After a close again:\n";
$cache->close();
var_dump($cache->get('key'), $cache->stats()[$server->address]['auth_cmds']);

echo "In one pool with a second server:\n";
$second = auth_server();
$cache = new Larder\Memcached([$server->address, $second->address], timeout: 5000, user: 'site', password: 'pass:word');
$keys = array_map(static fn(int $i): string => "key$i", range(1, 100));
var_dump(
    array_unique($cache->setMultiple(array_fill_keys($keys, 'x')), SORT_REGULAR) === ['key1' => Larder\Outcome::Done],
);
var_dump(count($cache->getMultiple($keys)));
?>
--EXPECT--
enum(Larder\Outcome::Done)
string(5) "value"
int(7)
array(2) {
  ["a"]=>
  int(1)
  ["b"]=>
  int(2)
}
array(0) {
}
int(1)
int(0)
int(1)
After a close again:
string(5) "value"
string(1) "2"
In one pool with a second server:
bool(true)
int(100)
