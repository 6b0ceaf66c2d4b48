--TEST--
servers by IPv6 addresses
--EXTENSIONS--
larder
--SKIPIF--
<?php
if (@stream_socket_server('tcp://[::1]:0') === false) {
    die('skip no IPv6 here');
}
?>
--FILE--
<?php
require __DIR__ . '/server.inc';
$server = MemcachedServer::tcp('-l', '::1');
$port = strrchr($server->address, ':');
$cache = new Larder\Memcached("[::1]$port");
var_dump($cache->set('key', 'value'), $cache->get('key'), $cache->failures(), $cache->serverOf('key') === "[::1]$port");
$other = new Larder\Memcached($server->address, timeout: 5000);
var_dump($other->get('key'));
?>
--EXPECT--
enum(Larder\Outcome::Done)
string(5) "value"
array(0) {
}
bool(true)
string(5) "value"
