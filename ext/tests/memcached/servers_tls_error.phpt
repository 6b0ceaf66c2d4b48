--TEST--
tls:// servers: a server that is not to be trusted gets no byte of ours
--EXTENSIONS--
larder
openssl
--SKIPIF--
<?php require __DIR__ . '/servers_tls_skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/servers_tls.inc';
$certificates = new Certificates();
$others = new Certificates();
$server = tls_server($certificates->issue('IP:127.0.0.1'));

function refuses(string $what, MemcachedServer $server, mixed ...$options): void
{
    $cache = new Larder\Memcached("tls://{$server->address}", ...$options, timeout: 5000);
    $outcome = $cache->set('secret', 'value');
    $kinds = kinds($cache);
    for ($turn = 0; $turn < 20; $turn++) {
        $cache->setMultiple(['secret' => 1, 'key' => 2]);
        $cache->get('secret');
    }
    $connects = $cache->info()["tls://{$server->address}"]['connects'];
    $stats = tls_stats($server);
    echo "$what: {$outcome->name}, $kinds, then ", kinds($cache), "; connects: $connects; the server saw ",
        $stats['cmd_set'] + $stats['cmd_get'] + $stats['cmd_meta'], " commands\n";
}

refuses('another authority', $server, tlsCa: $others->authority);
refuses('the system\'s authorities', $server);
refuses('another name', $server, tlsCa: $certificates->authority, tlsName: 'cache.example');
$expired = tls_server($certificates->issue('IP:127.0.0.1', 0));
sleep(2);
refuses('expired', $expired, tlsCa: $certificates->authority);
$cache = new Larder\Memcached("tls://{$expired->address}", timeout: 5000, retry: 1, tlsCa: $certificates->authority);
$cache->has('key');
echo str_replace($expired->address, 'SERVER', $cache->failures()[0]->message), "\n";
refuses(
    'another address',
    tls_server($certificates->issue('IP:127.0.0.2,DNS:127.0.0.1')),
    tlsCa: $certificates->authority,
);

echo "The check can be left out:\n";
$cache = new Larder\Memcached("tls://{$server->address}", timeout: 5000, tlsVerify: false);
var_dump($cache->set('key', 'value'), $cache->get('key'));

echo "TLS to a plain server:\n";
$plain = MemcachedServer::tcp();
$cache = new Larder\Memcached("tls://{$plain->address}", timeout: 1000, tlsVerify: false);
var_dump($cache->get('key', 'miss'), count($cache->failures()));

echo "Plain to a TLS server:\n";
$cache = new Larder\Memcached($server->address, timeout: 1000);
var_dump($cache->get('key', 'miss'), count($cache->failures()));
?>
--EXPECT--
another authority: Refused, Denied, then Down; connects: 1; the server saw 0 commands
the system's authorities: Refused, Denied, then Down; connects: 1; the server saw 0 commands
another name: Refused, Denied, then Down; connects: 1; the server saw 0 commands
expired: Refused, Denied, then Down; connects: 1; the server saw 0 commands
tls://SERVER is refused by us, see $tlsCa and $tlsName: the certificate is not to be trusted: certificate has expired
another address: Refused, Denied, then Down; connects: 1; the server saw 0 commands
The check can be left out:
enum(Larder\Outcome::Done)
string(5) "value"
TLS to a plain server:
string(4) "miss"
int(1)
Plain to a TLS server:
string(4) "miss"
int(1)
