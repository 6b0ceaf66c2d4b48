--TEST--
A server that comes back is found again, empty
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

foreach (['unix', 'tcp'] as $way) {
    $server = MemcachedServer::$way();
    $cache = new Larder\Memcached($server->address, retry: 1);
    $cache->set('key', 'before');
    $server->stop();
    $server->start();
    /* The connection died while nothing was on it: nobody needs to know. */
    var_dump($cache->get('key'), $cache->set('key', 'after'), $cache->get('key'), $cache->failures());
    $server->stop();
    var_dump($cache->set('key', 'lost') !== Larder\Outcome::Done, $cache->get('key'), count($cache->failures()));
    $server->start();
    usleep(50000);
    var_dump($cache->set('key', 'again'), $cache->get('key'), $cache->failures());
}
?>
--EXPECT--
NULL
enum(Larder\Outcome::Done)
string(5) "after"
array(0) {
}
bool(true)
NULL
int(1)
enum(Larder\Outcome::Done)
string(5) "again"
array(0) {
}
NULL
enum(Larder\Outcome::Done)
string(5) "after"
array(0) {
}
bool(true)
NULL
int(1)
enum(Larder\Outcome::Done)
string(5) "again"
array(0) {
}
