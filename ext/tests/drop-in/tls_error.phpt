--TEST--
memcached: by TLS a server that is not to be trusted gets no byte of ours, and no file that is missing makes it plain
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
$others = new Certificates();
$server = tls_server($certificates->issue('IP:127.0.0.1'));

function refuses(string $what, MemcachedServer $server, array $settings): void
{
    [, $port] = explode(':', $server->address);
    $said = run_with(ours(), <<<PHP
        \$memcached = new Memcached();
        \$memcached->addServer('127.0.0.1', $port);
        var_export(\$memcached->set('secret', 'value'));
        echo ' ', \$memcached->getResultCode(), ' ', \$memcached->getLastErrorMessage(), "\\n";
        var_export(\$memcached->get('secret'));
        echo ' ', \$memcached->getResultCode();
        PHP, [], ['memcached.tls' => '1'] + $settings);
    $stats = tls_stats($server);
    $saw = $stats['cmd_set'] + $stats['cmd_get'] + $stats['cmd_meta'];
    echo "$what: ", str_replace((string) $port, 'PORT', $said), "; the server saw $saw commands\n";
}

refuses('another authority', $server, ['memcached.tls_ca' => $others->authority]);
refuses('the system\'s authorities', $server, []);
$settings = ['memcached.tls_ca' => $certificates->authority];
refuses('another name', $server, $settings + ['memcached.tls_name' => 'cache.example']);
refuses('another address', tls_server($certificates->issue('IP:127.0.0.2,DNS:127.0.0.1')), $settings);

echo "Sessions:\n";
$said = run_with(ours(), <<<'PHP'
    session_id(str_repeat('a', 32));
    var_dump(session_start());
    PHP, [], [
    'memcached.tls' => '1',
    'memcached.tls_ca' => $others->authority,
    'session.save_handler' => 'memcached',
    'session.save_path' => $server->address,
    'session.use_cookies' => '0',
    'memcached.sess_lock_retries' => '0',
]);
$stats = tls_stats($server);
echo preg_match('~Failed to write session lock: AUTHENTICATION FAILURE.*bool\(false\)~s', $said) === 1
    ? 'refused, ' . ($stats['cmd_set'] + $stats['cmd_get'] + $stats['cmd_meta']) . " commands\n"
    : $said;

echo "By the option, after a connection that was trusted:\n";
[, $port] = explode(':', $server->address);
echo run_with(ours(), <<<PHP
    \$memcached = new Memcached();
    \$memcached->addServer('127.0.0.1', $port);
    \$memcached->setOptions([Memcached::OPT_TLS => true, Memcached::OPT_TLS_CA => '{$certificates->authority}']);
    var_dump(\$memcached->set('key', 1));
    \$memcached->setOption(Memcached::OPT_TLS_CA, '{$others->authority}');
    var_dump(\$memcached->get('key'), \$memcached->getResultMessage());
    \$memcached->setOption(Memcached::OPT_TLS_VERIFY, false);
    var_dump(\$memcached->get('key'));
    PHP);

echo "Files:\n";
$files = run_with(ours(), <<<PHP
    \$memcached = new Memcached();
    \$memcached->addServer('127.0.0.1', $port);
    \$memcached->setOption(Memcached::OPT_TLS, true);
    \$memcached->setOption(Memcached::OPT_TLS_CA, '/nowhere/ca.pem');
    var_dump(\$memcached->set('key', 1), \$memcached->getResultCode());
    var_dump(\$memcached->getStats(), \$memcached->getResultCode());
    var_dump(\$memcached->setOption(Memcached::OPT_TLS_CA, "a\\0b"), \$memcached->getResultCode());
    PHP);
echo preg_replace(['~^PHP .*\n~m', '~ in .* on line \d+$~m', '~^\s*\n~m'], '', $files);

echo "TLS to a plain server, and the other way:\n";
$plain = MemcachedServer::tcp();
$try = static fn(string $address, array $settings): string => run_with(ours(), <<<PHP
    \$memcached = new Memcached();
    \$memcached->setOptions([Memcached::OPT_POLL_TIMEOUT => 500, Memcached::OPT_CONNECT_TIMEOUT => 500]);
    \$memcached->addServers([explode(':', '$address')]);
    var_dump(\$memcached->set('key', 1));
    PHP, [], $settings);
echo $try($plain->address, ['memcached.tls' => '1', 'memcached.tls_verify' => '0']), $try($server->address, []);
?>
--EXPECT--
another authority: false 41 AUTHENTICATION FAILURE: the certificate is not to be trusted: unable to get local issuer certificate, host: 127.0.0.1:PORT
false 47; the server saw 0 commands
the system's authorities: false 41 AUTHENTICATION FAILURE: the certificate is not to be trusted: unable to get local issuer certificate, host: 127.0.0.1:PORT
false 47; the server saw 0 commands
another name: false 41 AUTHENTICATION FAILURE: the certificate is not to be trusted: hostname mismatch, host: 127.0.0.1:PORT
false 47; the server saw 0 commands
another address: false 41 AUTHENTICATION FAILURE: the certificate is not to be trusted: IP address mismatch, host: 127.0.0.1:PORT
false 47; the server saw 0 commands
Sessions:
refused, 0 commands
By the option, after a connection that was trusted:
bool(true)
bool(false)
string(22) "AUTHENTICATION FAILURE"
int(1)
Files:
Warning: Memcached::set(): no server can be asked: /nowhere/ca.pem cannot be read as certificate authorities: No such file or directory
bool(false)
int(1)
Warning: Memcached::getStats(): no server can be asked: /nowhere/ca.pem cannot be read as certificate authorities: No such file or directory
bool(false)
int(1)
Warning: Memcached::setOption(): a file's or certificate's name must not contain any null bytes
bool(false)
int(38)
TLS to a plain server, and the other way:
bool(false)
bool(false)
