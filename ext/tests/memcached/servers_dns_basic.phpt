--TEST--
servers by name: each address that it stands for is tried
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';
/* Listens on IPv4 alone; localhost may stand for ::1 first. */
$server = MemcachedServer::tcp();
$port = strrchr($server->address, ':');
$cache = new Larder\Memcached("localhost$port", timeout: 5000, dnsTimeout: 5000);
var_dump(
    $cache->set('key', 'value'),
    $cache->get('key'),
    $cache->failures(),
    $cache->serverOf('key') === "localhost$port",
);
?>
--EXPECT--
enum(Larder\Outcome::Done)
string(5) "value"
array(0) {
}
bool(true)
