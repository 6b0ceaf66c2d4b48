--TEST--
A lease's stub is "" to an old client and a miss to us; our own "" is a value to both; leases need a pool of our own
--EXTENSIONS--
larder
--SKIPIF--
<?php
if (!str_contains(
    (string) shell_exec(
        PHP_BINARY
            . ' -n -d extension=igbinary -d extension=msgpack -d extension=memcached -r "echo '
            . 'class_exists(\'Memcached\') ? \'there\' : \'\';" 2>&1',
    ),
    'there',
)) {
    die('skip needs ext-memcached');
}
?>
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
/* What ext-memcached sees, in another process. */
$old = function (string $key) use ($server): string {
    $code = '$old = new Memcached(); $old->addServer(' . var_export(substr($server->address, 5), true)
        . ', 0); echo json_encode($old->get(' . var_export($key, true) . ')), $old->getResultCode();';
    return (string) shell_exec(
        PHP_BINARY . ' -n -d extension=igbinary -d extension=msgpack -d extension=memcached -r ' . escapeshellarg($code)
            . ' 2>&1',
    );
};
$ours = new Larder\Memcached($server->address, shared: false, timeout: 5000);
$shared = new Larder\Memcached($server->address, timeout: 5000);
$lease = $ours->getOrLease('leased', 600.0)->lease;
$ours->set('empty', '');
$shared->set('shared', '');
$server->ask("set theirs 0 0 0\r\n");
foreach ([
    'leased' => $ours,
    'empty' => $ours,
    'shared' => $shared,
    'theirs' => $shared,
    'none' => $ours,
] as $key => $cache) {
    $answer = $cache->read($key);
    echo $key, ': ext-memcached ', $old($key), ', ours ', $answer->hit
        ? json_encode($answer->value)
        : 'a miss',
        ', has ',
        json_encode($cache->has($key)),
        ', of many ',
        json_encode($cache->getMultiple([$key])),
        "\n";
}
/* A pool whose keys others read gets no stub. */
try {
    $shared->getOrLease('other');
} catch (Larder\Exception\PoolIsShared $refused) {
    echo get_class($refused), ' ', $old('other'), "\n";
}
var_dump($ours->set('leased', '', lease: $lease), $ours->get('leased', 'missed'), $old('leased'));
?>
--EXPECT--
leased: ext-memcached ""0, ours a miss, has false, of many []
empty: ext-memcached ""0, ours "", has true, of many {"empty":""}
shared: ext-memcached ""0, ours "", has true, of many {"shared":""}
theirs: ext-memcached ""0, ours "", has true, of many {"theirs":""}
none: ext-memcached false16, ours a miss, has false, of many []
Larder\Exception\PoolIsShared false16
enum(Larder\Outcome::Done)
string(0) ""
string(3) """0"
