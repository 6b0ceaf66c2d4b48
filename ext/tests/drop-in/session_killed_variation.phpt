--TEST--
memcached: of two requests in one session one is killed: the other one waits, is told, and loses nothing
--EXTENSIONS--
larder
pcntl
posix
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/drop_in.inc';

$id = md5('one');
$killed = <<<PHP
    session_id('$id');
    session_start();
    \$_SESSION['count'] = 100;
    posix_kill(getmypid(), SIGKILL);
    PHP;
$other = <<<PHP
    ob_start();
    session_id('$id');
    echo json_encode(session_start());
    \$_SESSION['count'] = (\$_SESSION['count'] ?? 0) + 1;
    echo ' ', \$_SESSION['count'], ' ', json_encode(@session_write_close()), "\n";
    PHP;
foreach ([[PEER, PEER], [ours(), ours()], [PEER, ours()], [ours(), PEER]] as [$first, $second]) {
    $server = MemcachedServer::tcp();
    $settings = [
        'session.save_handler' => 'memcached',
        'session.save_path' => $server->address,
        'session.use_cookies' => '0',
        'session.cache_limiter' => '',
        'memcached.sess_lock_retries' => '2',
        'memcached.sess_lock_wait_min' => '1',
        'memcached.sess_lock_wait_max' => '2',
        'memcached.sess_lock_expire' => '1000',
    ];
    $said = run_with($second, $other, [], $settings);
    $said .= run_with($first, $killed, ['posix'], $settings);
    $said .= run_with($second, $other, [], $settings);
    /* As when the lock's time is over. */
    $said .= trim($server->ask("delete memc.sess.key.lock.$id")) . "\n";
    $said .= run_with($second, $other, [], $settings);
    $said .= run_with($first, $other, [], $settings);
    $all[] = str_replace($server->address, 'SERVER', $said);
}
echo count(array_unique($all)), " kind\n", $all[1];
?>
--EXPECT--
1 kind
true 1 true
(ended with 9)

Warning: session_start(): Unable to clear session lock record in Command line code on line 3

Warning: session_start(): Failed to read session data: memcached (path: SERVER) in Command line code on line 3
false 1 false
DELETED
true 2 true
true 3 true
