--TEST--
tls:// servers: all goes over one connection that was checked
--EXTENSIONS--
larder
openssl
--SKIPIF--
<?php require __DIR__ . '/servers_tls_skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/servers_tls.inc';
$certificates = new Certificates();
$server = tls_server($certificates->issue('IP:127.0.0.1'));
$cache = new Larder\Memcached("tls://{$server->address}", timeout: 5000, tlsCa: $certificates->authority);
var_dump(
    $cache->set('key', 'value'),
    $cache->get('key'),
    $cache->increment('n', initial: 7),
    $cache->delete('key'),
    $cache->get('key', 'miss'),
);
$cache->setMultiple(['a' => 1, 'b' => null, 'c' => ['x' => 2.5]]);
var_dump($cache->getMultiple(['a', 'b', 'c', 'd']) === ['a' => 1, 'b' => null, 'c' => ['x' => 2.5]]);
var_dump($cache->failures(), array_values($cache->info())[0]['connects']);

echo "By a name that the certificate has in place of the host's:\n";
$server = tls_server($certificates->issue('DNS:cache.example'));
$cache = new Larder\Memcached(
    "tls://{$server->address}",
    timeout: 5000,
    tlsCa: $certificates->authority,
    tlsName: 'cache.example',
);
var_dump($cache->set('key', 'value'), $cache->get('key'));

echo "By a host name:\n";
$server = tls_server($certificates->issue('DNS:localhost'));
$cache = new Larder\Memcached(
    'tls://localhost' . strrchr($server->address, ':'),
    timeout: 5000,
    tlsCa: $certificates->authority,
);
var_dump($cache->set('key', 'value'), $cache->get('key'));

echo "With a certificate of ours:\n";
$client = $certificates->issue('DNS:client');
$server = tls_server(
    $certificates->issue('IP:127.0.0.1'),
    '-o',
    "ssl_verify_mode=2,ssl_ca_cert={$certificates->authority}",
);
$cache = new Larder\Memcached(
    "tls://{$server->address}",
    timeout: 5000,
    tlsCa: $certificates->authority,
    tlsCert: $client,
);
var_dump($cache->set('key', 'value'), $cache->get('key'));
$cache = new Larder\Memcached("tls://{$server->address}", timeout: 5000, tlsCa: $certificates->authority);
var_dump($cache->get('key', 'miss'), $cache->failures() !== []);
?>
--EXPECT--
enum(Larder\Outcome::Done)
string(5) "value"
int(7)
enum(Larder\Outcome::Done)
string(4) "miss"
bool(true)
array(0) {
}
int(1)
By a name that the certificate has in place of the host's:
enum(Larder\Outcome::Done)
string(5) "value"
By a host name:
enum(Larder\Outcome::Done)
string(5) "value"
With a certificate of ours:
enum(Larder\Outcome::Done)
string(5) "value"
string(4) "miss"
bool(true)
