--TEST--
Complaint 12: no descriptor, memory or processor time is lost, and there may be more than 1,024 descriptors
--EXTENSIONS--
larder
posix
--FILE--
<?php
require __DIR__ . '/server.inc';
require __DIR__ . '/peer.inc';

$hanging = new Peer(fn(Wire $wire) => $wire->awaitClose());
$silent = new Peer(fn(Wire $wire) => $wire->awaitClose());
$rude = new Peer(fn(Wire $wire) => $wire->say((string) $wire->line()));
$server = MemcachedServer::unix();
$descriptors = fn() => count(scandir('/proc/self/fd'));
$pages = fn() => (int) explode(' ', (string) file_get_contents('/proc/self/statm'))[1];
/* AddressSanitizer keeps what is freed for a while. */
$most = getenv('SKIP_ASAN') ? PHP_INT_MAX : 300;
$use = function (int $rounds) use ($server, $rude): void {
    for ($round = 0; $round < $rounds; $round++) {
        $cache = new Larder\Memcached([$server->address, $rude->address], retry: 1, timeout: 1000);
        $cache->setMultiple(array_fill_keys(range(1, 20), str_repeat('x', 1000)));
        $cache->getMultiple(range(1, 20));
        $cache->stats();
        $cache->close();
    }
};
$use(100);
[$before, $memory, $resident] = [$descriptors(), memory_get_usage(), $pages()];
$use(1000);
echo 'descriptors: ', $descriptors() - $before, ', memory: ', memory_get_usage() - $memory < 1000
    ? 0
    : memory_get_usage() - $memory,
    ', pages: ', $pages() - $resident < $most ? 'the same' : $pages() - $resident, "\n";

/* What waits does not turn in circles. */
$cache = new Larder\Memcached([$hanging->address, $silent->address, $server->address], timeout: 400);
$before = getrusage();
$begin = microtime(true);
$cache->getMultiple(range(1, 40));
$after = getrusage();
$used = (
    $after['ru_utime.tv_sec']
        - $before['ru_utime.tv_sec']
        + $after['ru_stime.tv_sec']
        - $before['ru_stime.tv_sec']
) * 1e6
    + $after['ru_utime.tv_usec'] - $before['ru_utime.tv_usec'] + $after['ru_stime.tv_usec']
        - $before['ru_stime.tv_usec'];
echo microtime(true) - $begin > 0.35 && $used < 100000 ? 'it slept' : "$used us", "\n";

/* select() would write behind its set. */
$other = MemcachedServer::tcp();
$code = '$held = []; for ($number = 0; $number < 1200; $number++) { $held[] = fopen("/dev/null", "r"); }'
    . '$cache = new Larder\Memcached([' . var_export($server->address, true) . ', ' . var_export($other->address, true)
        . '],
        timeout: 5000,);'
    . '$cache->setMultiple(range(1, 20)); echo count($cache->getMultiple(range(0, 19))), " ", '
    . 'count($cache->failures()), " ", count($held);';
echo trim((string) shell_exec('ulimit -n 2000; ' . php_command([]) . ' -r ' . escapeshellarg($code) . ' 2>&1')), "\n";
?>
--EXPECT--
descriptors: 0, memory: 0, pages: the same
it slept
20 0 1200
