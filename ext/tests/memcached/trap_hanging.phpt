--TEST--
Complaint 11: servers that hang are waited for at once, in one deadline, and the others' keys come
--EXTENSIONS--
larder
posix
--FILE--
<?php
require __DIR__ . '/server.inc';
require __DIR__ . '/peer.inc';

/* Three that take connections and say nothing, one that does not even take them (its queue is full). */
$log = (string) tempnam(sys_get_temp_dir(), 'larder');
$peers = [];
for ($number = 0; $number < 3; $number++) {
    $peers[] = new Peer(function (Wire $wire) use ($log): void {
        file_put_contents($log, $wire->request() === null ? 'left ' : 'asked ', FILE_APPEND);
        $wire->awaitClose();
        file_put_contents($log, 'left ', FILE_APPEND);
    });
}
$seen = function (int $marks) use ($log): string {
    for ($try = 0; $try < 10000 && substr_count((string) file_get_contents($log), ' ') < $marks; $try++) {
        usleep(1000);
    }
    return trim((string) file_get_contents($log));
};
$full = stream_socket_server(
    'tcp://127.0.0.1:0',
    $code,
    $reason,
    STREAM_SERVER_BIND | STREAM_SERVER_LISTEN,
    stream_context_create(['socket' => ['backlog' => 1]]),
);
$name = stream_socket_get_name($full, false);
$held = [];
for ($number = 0; $number < 8; $number++) {
    $held[] = stream_socket_client(
        "tcp://$name",
        $code,
        $reason,
        0.05,
        STREAM_CLIENT_CONNECT | STREAM_CLIENT_ASYNC_CONNECT,
    );
}
$here = MemcachedServer::unix();
$servers = [$here->address, ...array_column($peers, 'address'), $name];
$keys = array_map(fn($number) => "key$number", range(1, 300));
$direct = new Larder\Memcached($here->address, timeout: 5000);
$deadline = 1500;
foreach (['getMultiple', 'setMultiple', 'incrementMultiple', 'deleteMultiple', 'touchMultiple'] as $number => $call) {
    /* Others each time, so that none is known to be dead. */
    $cache = new Larder\Memcached($servers, timeout: $deadline + $number, retry: 60000);
    $ours = array_values(array_filter($keys, fn($key) => $cache->serverOf($key) === $here->address));
    $direct->setMultiple(array_fill_keys($keys, 1));
    file_put_contents($log, '');
    $result = $cache->$call($call === 'setMultiple' ? array_fill_keys($keys, 1) : $keys);
    $done = array_filter($result, fn($one) => is_int($one) || $one === Larder\Outcome::Done);
    $kinds = array_map(fn($failure) => $failure->kind->name, $cache->failures());
    sort($kinds);
    echo $call, ': ', array_keys($done) === $ours && count($ours) > 20
        ? 'its keys are done'
        : count($done) . ' done', ', ', implode(' ', $kinds), "\n";
    $connections = array_map(fn($peer) => $peer->connections(), $peers);
    $cache->$call($call === 'setMultiple' ? [$ours[0] => 1] : [$ours[0]]);
    echo '  and alone: ', $connections === array_map(fn($peer) => $peer->connections(), $peers)
        && $cache->failures() === [] ? 'nobody else is asked' : 'others are asked', "\n";
    $cache->close();
    echo '  they were ', $seen(6), "\n";
}
unlink($log);
?>
--EXPECT--
getMultiple: its keys are done, TimedOut TimedOut TimedOut Unreachable
  and alone: nobody else is asked
  they were asked asked asked left left left
setMultiple: its keys are done, TimedOut TimedOut TimedOut Unreachable
  and alone: nobody else is asked
  they were asked asked asked left left left
incrementMultiple: its keys are done, TimedOut TimedOut TimedOut Unreachable
  and alone: nobody else is asked
  they were asked asked asked left left left
deleteMultiple: its keys are done, TimedOut TimedOut TimedOut Unreachable
  and alone: nobody else is asked
  they were asked asked asked left left left
touchMultiple: its keys are done, TimedOut TimedOut TimedOut Unreachable
  and alone: nobody else is asked
  they were asked asked asked left left left
