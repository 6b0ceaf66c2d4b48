--TEST--
At most 64 pools are kept, and those in use are never freed
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
$before = $server->stat('curr_connections');
$held = new Larder\Memcached($server->address, timeout: 5000);
$held->set('key', 'held');
for ($number = 0; $number < 200; $number++) {
    $cache = new Larder\Memcached($server->address, retry: 10 + $number, timeout: 5000);
    $cache->get('key');
}
unset($cache);
usleep(20000);
var_dump($server->stat('curr_connections') - $before, $held->get('key'), $held->info()[$server->address]['connects']);
$all = [];
for ($number = 0; $number < 100; $number++) {
    $all[] = $cache = new Larder\Memcached($server->address, retry: 1000 + $number, timeout: 5000);
    $cache->get('key');
}
usleep(20000);
var_dump(
    $server->stat('curr_connections') - $before,
    count(array_filter($all, fn($cache) => $cache->get('key') === 'held')),
    array_sum(array_map(fn($cache) => $cache->info()[$server->address]['connects'], $all)),
);
unset($all, $cache);
new Larder\Memcached($server->address, retry: 5000, timeout: 5000);
usleep(20000);
var_dump(
    $server->stat('curr_connections') - $before <= 64,
    $held->get('key'),
    $held->info()[$server->address]['connects'],
);
ob_start();
phpinfo(INFO_MODULES);
preg_match_all('/^Memcached.*/m', (string) ob_get_clean(), $lines);
echo implode("\n", array_filter($lines[0], fn($line) => !str_starts_with($line, 'Memcached over TLS'))), "\n";
?>
--EXPECT--
int(64)
string(4) "held"
int(1)
int(100)
int(100)
int(100)
bool(true)
string(4) "held"
int(1)
Memcached pools => 64
