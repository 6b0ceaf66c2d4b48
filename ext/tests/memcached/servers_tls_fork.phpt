--TEST--
tls:// servers: a forked child says nothing on its parent's connection
--EXTENSIONS--
larder
openssl
pcntl
posix
--SKIPIF--
<?php require __DIR__ . '/servers_tls_skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/servers_tls.inc';
$certificates = new Certificates();
$server = tls_server($certificates->issue('IP:127.0.0.1'));
$cache = new Larder\Memcached("tls://{$server->address}", timeout: 5000, tlsCa: $certificates->authority);
$cache->set('key', 'parent');
for ($turn = 0; $turn < 3; $turn++) {
    $child = pcntl_fork();
    if ($child === 0) {
        $right = $turn === 0 || $cache->get('key') === 'parent';
        if ($turn === 2) {
            posix_kill(getmypid(), SIGKILL);
        }
        exit($right ? 0 : 1);
    }
    pcntl_waitpid($child, $status);
    var_dump(
        $turn === 2 ? pcntl_wifsignaled($status) : pcntl_wexitstatus($status),
        $cache->get('key'),
        $cache->failures(),
    );
}
var_dump($cache->info()["tls://{$server->address}"]['connects']);
?>
--EXPECT--
int(0)
string(6) "parent"
array(0) {
}
int(0)
string(6) "parent"
array(0) {
}
bool(true)
string(6) "parent"
array(0) {
}
int(1)
