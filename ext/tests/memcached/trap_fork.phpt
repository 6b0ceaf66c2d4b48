--TEST--
Complaint 9: a child of a fork says nothing on its parent's connection, has its own, and its end closes no other
--EXTENSIONS--
larder
posix
--FILE--
<?php
require __DIR__ . '/server.inc';
require __DIR__ . '/peer.inc';

/* The peer serves one connection at a time: whatever comes on the parent's is noted with its number. */
$path = (string) tempnam(sys_get_temp_dir(), 'larder');
$peer = new Peer(function (Wire $wire, int $number) use ($path): void {
    while (($line = $wire->request()) !== null) {
        file_put_contents($path, "$number: " . strtok($line, ' ') . ' ' . strtok(' ') . "\n", FILE_APPEND);
        $wire->say(Wire::answer(['parent' => 'P'], $line));
    }
    file_put_contents($path, "$number: closed\n", FILE_APPEND);
});
$cache = new Larder\Memcached($peer->address, timeout: 2000);
echo $cache->get('parent'), "\n";
foreach (['exit', 'exception', 'close', 'nothing'] as $way) {
    $pid = pcntl_fork();
    if ($pid === 0) {
        if ($way === 'close') {
            $cache->close();
        }
        if ($way === 'exception') {
            ini_set('display_errors', '0');
            throw new Exception();
        }
        exit(0);
    }
    pcntl_waitpid($pid, $status);
    echo $way, ': ', $cache->get('parent'), "\n";
}
echo file_get_contents(
    $path,
), 'connections: ', $peer->connections(), ', connects: ', $cache->info()[$peer->address]['connects'], "\n";
unlink($path);

/* With a real server, both at once: each has its own, by now and later. */
$server = MemcachedServer::unix();
$cache = new Larder\Memcached($server->address, timeout: 2000);
$cache->set('key', 'of both');
$before = $server->stat('total_connections');
$pid = pcntl_fork();
if ($pid === 0) {
    exit($cache->get('key') === 'of both' && $cache->failures() === [] ? 0 : 1);
}
echo $cache->get('key'), "\n";
pcntl_waitpid($pid, $status);
/* Less the one that asks. */
var_dump(
    pcntl_wexitstatus($status),
    $cache->get('key'),
    $server->stat('total_connections') - $before - 1,
    $cache->info()[$server->address]['connects'],
);
?>
--EXPECT--
P
exit: P
exception: P
close: P
nothing: P
0: mg parent
0: mg parent
0: mg parent
0: mg parent
0: mg parent
connections: 1, connects: 1
of both
int(0)
string(7) "of both"
int(1)
int(1)
