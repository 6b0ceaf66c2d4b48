--TEST--
memcached: sessions that php-memcached's handler has written are read by ours, and the other way, under one lock
--EXTENSIONS--
larder
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/drop_in.inc';

$write = <<<'PHP'
    mt_srand(7);
    for ($i = 0; $i < 20; $i++) {
        session_id(md5("$i"));
        session_start();
        $_SESSION = ['id' => $i, 'cart' => array_fill(0, mt_rand(0, 30), ['price' => 1.5])];
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
$locked = <<<'PHP'
    session_id(md5('1'));
    var_dump(@session_start());
    PHP;

foreach ([false, true] as $binary) {
    foreach ([[PEER, ours()], [ours(), PEER]] as [$writer, $reader]) {
        $servers = [MemcachedServer::tcp(), MemcachedServer::tcp(), MemcachedServer::tcp()];
        $settings = [
            'session.save_handler' => 'memcached',
            'session.save_path' => implode(',', array_map(static fn($server) => $server->address, $servers)),
            'memcached.sess_binary_protocol' => $binary ? '1' : '0',
            'memcached.sess_lock_retries' => '1',
            'memcached.sess_lock_wait_min' => '1',
            'session.use_cookies' => '0',
            'session.cache_limiter' => '',
        ];
        echo run_with($writer, $write, [], $settings);
        echo run_with($reader, $read, [], $settings);
        echo run_with($writer, $read, [], $settings);
        /* A process that is killed while it holds a session leaves its lock. */
        run_with($writer, "session_id(md5('1')); session_start(); posix_kill(getmypid(), SIGKILL);", ['posix', 'pcntl'],
            $settings);
        echo run_with($reader, $locked, [], $settings);
        unset($servers);
    }
}
?>
--EXPECT--
20 found
10 found
bool(false)
20 found
10 found
bool(false)
20 found
10 found
bool(false)
20 found
10 found
bool(false)
