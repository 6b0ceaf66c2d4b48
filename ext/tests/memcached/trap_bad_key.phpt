--TEST--
Two error lines for one request, which memcached sends for an ms with a bad key: the stream stays in step
--EXTENSIONS--
larder
posix
--FILE--
<?php
require __DIR__ . '/server.inc';
require __DIR__ . '/peer.inc';

/* No key of ours is bad for memcached; so the peer says that "bad" is. */
$peer = new Peer(function (Wire $wire): void {
    while (($line = $wire->request()) !== null) {
        $wire->say(
            preg_match('/^m\w bad /', $line) === 1
                ? "CLIENT_ERROR bad command line format\r\nERROR\r\n"
                : Wire::answer(['a' => 'A', 'b' => 'B'], $line),
        );
    }
});
$cache = new Larder\Memcached($peer->address, timeout: 2000, retry: 1);
$said = fn() => implode(' ', array_map(fn($failure) => $failure->kind->name, $cache->failures())) . "\n";
foreach ([
    fn() => $cache->set('bad', 'v')->name,
    fn() => implode(' ', array_column($cache->setMultiple(['a' => 'A', 'bad' => 'v', 'b' => 'B']), 'name')),
    fn() => implode(' ', array_column($cache->setMultiple(['a' => 'A', 'b' => 'B', 'bad' => 'v']), 'name')),
] as $call) {
    $outcome = $call();
    /* What is not proved may not be told as done, nor as refused. */
    echo $outcome, ', ', $said();
    usleep(3000);
    echo '  ', $cache->get('a'), $cache->get('b'), implode('', $cache->getMultiple(['b', 'a'])), "\n";
}
?>
--EXPECT--
Refused, NotUnderstood
  ABBA
Done Unknown Unknown, OutOfStep
  ABBA
Done Done Refused, NotUnderstood
  ABBA
