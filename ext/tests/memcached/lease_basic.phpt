--TEST--
lease: the right to make a value anew, whether there is one or not
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
$cache = new Larder\Memcached($server->address, prefix: 'p:', shared: false, timeout: 5000);
$cache->set('key', 'old');
foreach (['key', 'none'] as $key) {
    $lease = $cache->lease($key, 5);
    var_dump(
        is_int($lease),
        $cache->lease($key),
        $cache->get($key),
        $cache->set($key, 'new', lease: $lease),
        $cache->get($key),
    );
    $lease = $cache->lease($key);
    var_dump(
        $cache->set($key, 'by another'),
        $cache->set($key, 'late', lease: $lease),
        $cache->release($key, $lease),
        $cache->get($key),
    );
    $lease = $cache->lease($key);
    var_dump($cache->release($key, $lease), is_int($cache->lease($key)));
}
?>
--EXPECT--
bool(true)
NULL
string(3) "old"
enum(Larder\Outcome::Done)
string(3) "new"
enum(Larder\Outcome::Done)
enum(Larder\Outcome::Exists)
bool(false)
string(10) "by another"
bool(true)
bool(true)
bool(true)
NULL
NULL
enum(Larder\Outcome::Done)
string(3) "new"
enum(Larder\Outcome::Done)
enum(Larder\Outcome::Exists)
bool(false)
string(10) "by another"
bool(true)
bool(true)
