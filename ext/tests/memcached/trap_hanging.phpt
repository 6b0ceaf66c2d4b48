--TEST--
Complaint 11: servers that hang hold nobody up for longer than one deadline, and the others' keys come
--EXTENSIONS--
larder
posix
--FILE--
<?php
require __DIR__ . '/server.inc';
require __DIR__ . '/peer.inc';

/* Three that take connections and say nothing, one that does not even take them (its queue is full). */
$peers = [];
for ($number = 0; $number < 3; $number++) {
    $peers[] = new Peer(fn(Wire $wire) => $wire->awaitClose());
}
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
$deadline = 400;
foreach (['getMultiple', 'setMultiple', 'incrementMultiple', 'deleteMultiple', 'touchMultiple'] as $number => $call) {
    /* Others each time, so that none is known to be dead. */
    $cache = new Larder\Memcached($servers, timeout: $deadline + $number, retry: 60000);
    $ours = array_values(array_filter($keys, fn($key) => $cache->serverOf($key) === $here->address));
    $direct->setMultiple(array_fill_keys($keys, 1));
    $begin = hrtime(true);
    $result = $cache->$call($call === 'setMultiple' ? array_fill_keys($keys, 1) : $keys);
    $took = (hrtime(true) - $begin) / 1e6;
    $done = array_filter($result, fn($one) => is_int($one) || $one === Larder\Outcome::Done);
    $kinds = array_map(fn($failure) => $failure->kind->name, $cache->failures());
    sort($kinds);
    echo $call, ': ', array_keys($done) === $ours && count($ours) > 20
        ? 'its keys are done'
        : count($done) . ' done', ', ', implode(' ', $kinds),
        $took <= $deadline * 1.1 + $number ? ', in time' : ", $took ms", "\n";
    $begin = hrtime(true);
    $cache->$call($call === 'setMultiple' ? [$ours[0] => 1] : [$ours[0]]);
    echo '  and alone: ', (hrtime(true) - $begin) / 1e6 < 50 ? 'at once' : 'later', "\n";
    $cache->close();
}
?>
--EXPECT--
getMultiple: its keys are done, TimedOut TimedOut TimedOut Unreachable, in time
  and alone: at once
setMultiple: its keys are done, TimedOut TimedOut TimedOut Unreachable, in time
  and alone: at once
incrementMultiple: its keys are done, TimedOut TimedOut TimedOut Unreachable, in time
  and alone: at once
deleteMultiple: its keys are done, TimedOut TimedOut TimedOut Unreachable, in time
  and alone: at once
touchMultiple: its keys are done, TimedOut TimedOut TimedOut Unreachable, in time
  and alone: at once
