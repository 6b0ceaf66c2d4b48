--TEST--
unix: servers
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';
$server = MemcachedServer::unix();
var_dump(str_starts_with($server->address, 'unix:/'));
$cache = new Larder\Memcached($server->address, timeout: 5000);
var_dump($cache->set('key', 'value'), $cache->get('key'), $cache->serverOf('key') === $server->address);
$values = [];
for ($i = 0; $i < 300; $i++) {
    $values["key$i"] = str_repeat("$i ", 2000);
}
$cache->setMultiple($values);
var_dump(
    $cache->getMultiple(array_keys($values)) === $values,
    $cache->failures(),
    array_keys($cache->info()) === [$server->address],
);

echo "A path where nobody listens, and one that is none:\n";
foreach (["{$server->address}-absent", 'unix:' . __FILE__] as $address) {
    $cache = new Larder\Memcached($address, timeout: 5000);
    var_dump(
        $cache->get('key', 'miss'),
        $cache->failures()[0]->kind,
        $cache->set('key', 1),
        $cache->failures()[0]->kind,
    );
}

echo "Gone and back:\n";
$cache = new Larder\Memcached($server->address, retry: 50, timeout: 5000);
var_dump($cache->get('key'));
$server->stop();
var_dump($cache->get('key', 'miss'), $cache->failures() !== []);
$server->start();
usleep(200000);
var_dump($cache->get('key', 'miss'), $cache->failures(), $cache->set('key', 'again'), $cache->get('key'));

echo "A path too long for a socket:\n";
try {
    new Larder\Memcached('unix:/' . str_repeat('x', 200));
} catch (ValueError $error) {
    echo preg_replace('~x+~', 'x', $error->getMessage()), "\n";
}
?>
--EXPECT--
bool(true)
enum(Larder\Outcome::Done)
string(5) "value"
bool(true)
bool(true)
array(0) {
}
bool(true)
A path where nobody listens, and one that is none:
string(4) "miss"
enum(Larder\FailureKind::Unreachable)
enum(Larder\Outcome::Refused)
enum(Larder\FailureKind::Down)
string(4) "miss"
enum(Larder\FailureKind::Unreachable)
enum(Larder\Outcome::Refused)
enum(Larder\FailureKind::Down)
Gone and back:
string(5) "value"
string(4) "miss"
bool(true)
string(4) "miss"
array(0) {
}
enum(Larder\Outcome::Done)
string(5) "again"
A path too long for a socket:
Larder\Memcached::__construct(): server "unix:/x...": a Unix socket's path has at most 107 bytes
