--TEST--
Complaint 1: after a time-out the next calls on the same persistent connection get their own values
--EXTENSIONS--
larder
posix
--FILE--
<?php
require __DIR__ . '/server.inc';
require __DIR__ . '/peer.inc';

/* The late reply of a connection that is still open: this peer never closes, and sends late replies with the next. */
$peer = new Peer(function (Wire $wire): void {
    $owed = '';
    while (($line = $wire->request()) !== null) {
        $key = explode(' ', $line)[1];
        $reply = str_replace(
            'O*',
            'O' . $wire->opaques[count($wire->opaques) - 1],
            Wire::answer(['late' => 'late', 'a' => 'A', 'b' => 'B'], $line),
        );
        if ($key === 'late') {
            $owed .= $reply;
            continue;
        }
        $wire->say($owed . $reply);
        $owed = '';
    }
});
$cache = new Larder\Memcached($peer->address, timeout: 100, retry: 1);
$wrong = $timeouts = 0;
for ($round = 0; $round < 20; $round++) {
    /* As in a new request: the last one's object is gone, the connection is not. */
    $cache = new Larder\Memcached($peer->address, timeout: 100, retry: 1);
    $timeouts += $cache->get('late') === null && $cache->failures()[0]->kind === Larder\FailureKind::TimedOut ? 1 : 0;
    usleep(5000);
    $wrong += $cache->get('a') === 'A' ? 0 : 1;
    $wrong += $cache->getMultiple(['b', 'a', 'none']) === ['b' => 'B', 'a' => 'A'] ? 0 : 1;
    $wrong += $cache->read('none')->hit ? 1 : 0;
    $wrong += $cache->get('b') === 'B' ? 0 : 1;
}
echo "time-outs: $timeouts, wrong: $wrong\n";
var_dump($cache->info()[$peer->address]['closedInDoubt'] === 20, $peer->connections() === 21);
?>
--EXPECT--
time-outs: 20, wrong: 0
bool(true)
bool(true)
