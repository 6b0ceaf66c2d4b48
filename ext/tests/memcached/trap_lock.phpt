--TEST--
Complaint 7: a lock dies with its time when its owner is killed, nobody spins for it, and a late owner stores nothing
--EXTENSIONS--
larder
posix
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
$cache = new Larder\Memcached($server->address, shared: false, timeout: 5000);
$cache->set('there', 'old');
$pid = pcntl_fork();
if ($pid === 0) {
    $cache->lease('there', 1);
    $cache->getOrLease('missing', 1);
    posix_kill(getmypid(), SIGKILL);
}
pcntl_waitpid($pid, $status);
/* The lease is held, and the answer says so. */
var_dump($cache->lease('there', 1), $cache->getOrLease('missing', 1)->lease, $cache->get('there'));
/* memcached's clock is one of whole seconds. */
for ($tries = 0; $tries < 120; $tries++) {
    $there ??= $cache->lease('there', 1);
    $missing ??= $cache->getOrLease('missing', 1)->lease;
    if ($there !== null && $missing !== null) {
        break;
    }
    usleep(50000);
}
var_dump($there !== null, $missing !== null);
usleep(2300000);
/* Both have run out, and others write: */
$cache->delete('missing');
$cache->set('there', 'newer');
echo $cache->set(
    'missing',
    'late',
    lease: $missing,
)->name, ' ', $cache->set('there', 'late', lease: $there)->name, "\n";
var_dump($cache->get('missing'), $cache->get('there'));
?>
--EXPECT--
NULL
NULL
string(3) "old"
bool(true)
bool(true)
Exists Exists
NULL
string(5) "newer"
