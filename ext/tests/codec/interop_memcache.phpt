--TEST--
Values: what pecl-memcache writes is read as it reads it, and the other way round
--EXTENSIONS--
larder
memcache
--FILE--
<?php
require __DIR__ . '/values.inc';
require __DIR__ . '/../memcached/server.inc';

$server = MemcachedServer::unix('-m', '128');
error_reporting(E_ALL & ~E_DEPRECATED);
$theirs = new MemcachePool();
$theirs->addServer('unix://' . substr($server->address, strlen('unix:')), 0);

echo count(values()) >= 40 ? "enough values\n" : "too few values\n";
foreach (['none' => 0, 'zlib' => MEMCACHE_COMPRESSED] as $compressor => $flag) {
    $at = $server->address;
    $ours = new Larder\Memcached($at, layout: 'memcache', compressor: $compressor, timeout: 5000, objects: true);
    $read = $written = 0;
    foreach (values() as $name => $value) {
        /* A stored null is false for them, their own as well. */
        $value ??= [null];
        $theirs->set('theirs', $value, $flag);
        $expected = $theirs->get('theirs');
        $got = $ours->get('theirs', 'a miss');
        if (!same($expected, $got)) {
            echo "$compressor, $name: they read ", shown($expected), ', we read ', shown($got), "\n";
        }
        $read++;
        $outcome = $ours->set('ours', $value);
        $expected = $ours->get('ours', 'a miss');
        $got = $theirs->get('ours');
        if ($outcome !== Larder\Outcome::Done || !same($value, $expected) || !same($value, $got)) {
            echo "$compressor, $name: we wrote ", shown($value), ' and read ', shown(
                $expected,
            ), ', they read ', shown($got), "\n";
        }
        $written++;
    }
    printf("%-6s read %d, written %d\n", $compressor, $read, $written);
}
?>
--EXPECT--
enough values
none   read 85, written 85
zlib   read 85, written 85
