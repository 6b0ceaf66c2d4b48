--TEST--
memcache: random sessions go from php-memcache's handler to ours and back, with all copies, rings and prefixes
--EXTENSIONS--
larder
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/pair.inc';
require __DIR__ . '/../drop-in/session.inc';

$servers = [MemcachedServer::tcp(), MemcachedServer::tcp(), MemcachedServer::tcp()];
$addresses = array_map(static fn($server) => $server->address, $servers);
$done = 0;
/* A step that has no factor with the numbers of choices comes by each of them. */
for ($i = 0; $i < 20; $i++) {
    $settings = settings_by_number($i * 37 % 216, [
        'session.serialize_handler' => ['php', 'php_serialize', 'php_binary'],
        'memcache.session_redundancy' => ['2', '1', '3'],
        'memcache.hash_strategy' => ['consistent', 'standard'],
        'memcache.hash_function' => ['crc32', 'fnv'],
        'memcache.session_prefix_static_key' => ['', 'shop'],
        'memcache.compress_threshold' => ['20000', '100', '0'],
    ]) + [
        'session.save_handler' => 'memcache',
        'session.save_path' => 'tcp://' . implode(',tcp://', $addresses),
    ];
    $pair = $i % 2 === 0 ? [MEMCACHE_PEER, our_memcache()] : [our_memcache(), MEMCACHE_PEER];
    $said = session_exchange($pair[0], $pair[1], 100 + $i, 10, $settings, $addresses);
    echo $said === '' ? '' : json_encode($settings) . "\n$said";
    $done += $said === '' ? 1 : 0;
}
echo "$done of 20, ", locks_left($addresses), " locks left\n";
?>
--EXPECT--
20 of 20, 0 locks left
