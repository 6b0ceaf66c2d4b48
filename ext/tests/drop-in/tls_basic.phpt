--TEST--
memcached: TLS by options and by php.ini, for the class and for sessions
--EXTENSIONS--
larder
openssl
--SKIPIF--
<?php require __DIR__ . '/../memcached/servers_tls_skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/drop_in.inc';
require __DIR__ . '/../memcached/servers_tls.inc';

$certificates = new Certificates();
$server = tls_server($certificates->issue('IP:127.0.0.1'));
[, $port] = explode(':', $server->address);
$ca = $certificates->authority;
$settings = ['memcached.tls' => '1', 'memcached.tls_ca' => $ca];

const CALLS = <<<'PHP'
    $memcached->setMulti(['a' => 1, 'b' => ['x' => 2.5], 'c' => str_repeat('long ', 40_000)]);
    var_dump($memcached->getMulti(['a', 'b']) === ['a' => 1, 'b' => ['x' => 2.5]], strlen($memcached->get('c')));
    var_dump($memcached->increment('a', 2), $memcached->delete('b'), $memcached->get('b'), $memcached->getResultCode());
    var_dump(count($memcached->getStats()), $memcached->getLastErrorMessage());
    PHP;

echo "By options:\n";
echo run_with(ours(), <<<PHP
    \$memcached = new Memcached();
    \$memcached->addServer('127.0.0.1', $port);
    var_dump(\$memcached->setOptions([Memcached::OPT_TLS => 'on', Memcached::OPT_TLS_CA => '$ca']));
    PHP . CALLS);
echo "By php.ini, and what it says:\n";
echo run_with(ours(), <<<PHP
    \$memcached = new Memcached('kept');
    \$memcached->addServer('127.0.0.1', $port);
    var_dump(\$memcached->getOption(Memcached::OPT_TLS), \$memcached->getOption(Memcached::OPT_TLS_CA) === '$ca');
    var_dump(\$memcached->getOption(Memcached::OPT_TLS_NAME), \$memcached->getOption(Memcached::OPT_TLS_VERIFY));
    var_dump(Memcached::HAVE_TLS);
    PHP . CALLS, [], $settings);

echo "Sessions:\n";
foreach (['0', '1'] as $persistent) {
    $visit = <<<'PHP'
        session_id(str_repeat('a', 32));
        session_start();
        echo $_SESSION['visits'] = ($_SESSION['visits'] ?? 0) + 1, "\n";
        PHP;
    foreach ([1, 2] as $_) {
        echo run_with(ours(), $visit, [], $settings + [
            'session.save_handler' => 'memcached',
            'session.save_path' => $server->address,
            'session.use_cookies' => '0',
            'session.cache_limiter' => '',
            'memcached.sess_persistent' => $persistent,
        ]);
    }
}

echo "By the name in the certificate, and with one of ours:\n";
$named = tls_server(
    $certificates->issue('DNS:cache.example'),
    '-o',
    "ssl_verify_mode=2,ssl_ca_cert=$ca",
);
$client = $certificates->issue('DNS:client');
[, $port] = explode(':', $named->address);
echo run_with(ours(), <<<PHP
    \$memcached = new Memcached();
    \$memcached->addServer('127.0.0.1', $port);
    \$memcached->setOption(Memcached::OPT_TLS_NAME, 'cache.example');
    var_dump(\$memcached->set('key', 1));
    \$memcached->setOptions([Memcached::OPT_TLS_CERT => '$client', Memcached::OPT_TLS_KEY => '$client']);
    var_dump(\$memcached->set('key', 'value'), \$memcached->get('key'));
    \$memcached->setOption(Memcached::OPT_TLS_KEY, null);
    var_dump(\$memcached->get('key'));
    PHP, [], $settings);

echo "A Unix socket has none:\n";
$unix = MemcachedServer::unix();
$path = substr($unix->address, 5);
echo run_with(
    ours(),
    "\$memcached = new Memcached(); \$memcached->addServer('$path', 0); var_dump(\$memcached->set('key', 1));",
    [],
    $settings,
);
?>
--EXPECT--
By options:
bool(true)
bool(true)
int(200000)
int(3)
bool(true)
bool(false)
int(16)
int(1)
string(7) "SUCCESS"
By php.ini, and what it says:
bool(true)
bool(true)
string(0) ""
bool(true)
bool(true)
bool(true)
int(200000)
int(3)
bool(true)
bool(false)
int(16)
int(1)
string(7) "SUCCESS"
Sessions:
1
2
3
4
By the name in the certificate, and with one of ours:
bool(false)
bool(true)
string(5) "value"
string(5) "value"
A Unix socket has none:
bool(true)
