--TEST--
memcache: sessions that php-memcache's handler has written are read by ours, and the other way, under one lock
--EXTENSIONS--
larder
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/pair.inc';

$write = <<<'PHP'
    mt_srand(7);
    for ($i = 0; $i < 20; $i++) {
        session_id(md5("$i"));
        session_start();
        $_SESSION = ['id' => $i, 'cart' => array_fill(0, mt_rand(0, 900), ['price' => 1.5])];
        session_write_close();
    }
    PHP;
$read = <<<'PHP'
    $found = 0;
    for ($i = 0; $i < 20; $i++) {
        session_id(md5("$i"));
        session_start();
        $found += ($_SESSION['id'] ?? null) === $i && is_array($_SESSION['cart']) ? 1 : 0;
        $i % 2 === 0 ? session_destroy() : session_write_close();
    }
    echo "$found found\n";
    PHP;
$ours = our_memcache();
foreach (['1', '2'] as $copies) {
    foreach ([[MEMCACHE_PEER, $ours], [$ours, MEMCACHE_PEER]] as [$writer, $reader]) {
        $servers = [MemcachedServer::tcp(), MemcachedServer::tcp(), MemcachedServer::tcp()];
        $settings = [
            'session.save_handler' => 'memcache',
            'session.save_path' => implode(',', array_map(static fn($server) => "tcp://$server->address", $servers)),
            'memcache.session_redundancy' => $copies,
            'session.use_cookies' => '0',
            'session.cache_limiter' => '',
        ];
        echo run_with($writer, $write, [], $settings);
        echo run_with($reader, $read, [], $settings);
        echo run_with($writer, $read, [], $settings);
        /* A lock that somebody has is counted up by who wants it: it is not theirs. */
        $lock = md5('1') . '.lock';
        $held = [];
        foreach ($servers as $server) {
            $held[] = preg_match("~^VALUE $lock 768 1\r\n0\r\n~", $server->ask("get $lock"));
        }
        echo array_sum($held), " unlocked\n";
        unset($servers, $server);
    }
}
/* A lock that does not end is respected, and the wait for it ends; php-memcache goes on without the lock. */
$server = MemcachedServer::tcp();
$settings = ['session.save_path' => "tcp://$server->address", 'memcache.lock_timeout' => '1'] + $settings;
$server->ask('set ' . md5('1') . ".lock 768 0 1\r\n1");
echo run_with($ours, "session_id(md5('1')); var_dump(@session_start());", [], $settings);
?>
--EXPECT--
20 found
10 found
1 unlocked
20 found
10 found
1 unlocked
20 found
10 found
2 unlocked
20 found
10 found
2 unlocked
bool(false)
