--TEST--
A connection that the server has closed costs a read nothing, and after a second of rest a write nothing either
--EXTENSIONS--
larder
posix
--FILE--
<?php
require __DIR__ . '/peer.inc';

/* Each connection is closed behind the replies to so many requests. */
$requests = [1, 1, 2, 1, 1, PHP_INT_MAX];
$seen = (string) tempnam(sys_get_temp_dir(), 'larder');
$peer = new Peer(function (Wire $wire, int $number) use ($requests, $seen): void {
    for ($left = $requests[$number]; $left > 0 && ($line = $wire->request()) !== null; $left--) {
        file_put_contents($seen, explode(' ', $line)[0] . ' ', FILE_APPEND);
        $wire->say(Wire::answer(['a' => 'A', 'b' => 'B', 'n' => '5'], $line));
    }
});
$cache = new Larder\Memcached($peer->address, timeout: 2000, retry: 1);
$show = function (mixed $result) use ($cache, $peer): void {
    echo json_encode($result instanceof Larder\Outcome ? $result->name : $result), ', ', $peer->connections(),
        ' connections', implode('', array_map(fn($failure) => ', ' . $failure->kind->name, $cache->failures())), "\n";
};
$show($cache->get('a'));
usleep(20000);
$show($cache->get('b'));
usleep(20000);
$show($cache->getMultiple(['a', 'none', 'b', 'n']));
usleep(20000);
/* Of these the read goes again, and the write is never sent twice. */
[$read, $written] = $cache->pipeline()->read('a')->set('c', 1)->run();
$show([$read->value, $written->name]);
usleep(20000);
$show($cache->increment('n'));
usleep(20000);
$show($cache->get('a'));
usleep(20000);
/* A connection that was idle is looked at before a write goes out on it. */
usleep(1100000);
$show($cache->increment('n'));
echo file_get_contents($seen), "\n";
unlink($seen);

/* A server that closes at once is not asked for ever. */
$cut = new Peer(fn(Wire $wire, int $number) => $number === 0 ? $wire->serve(['a' => 'A'], 1) : $wire->request());
$cache = new Larder\Memcached($cut->address, timeout: 2000, retry: 60000);
var_dump($cache->get('a'));
usleep(20000);
var_dump($cache->get('a'), $cache->failures()[0]->kind, $cut->connections());
?>
--EXPECT--
"A", 1 connections
"B", 2 connections
{"a":"A","b":"B","n":"5"}, 3 connections
["A","Unknown"], 4 connections, Closed
"Unknown", 4 connections, Closed
"A", 5 connections
6, 6 connections
mg mg mg get mg mg ma 
string(1) "A"
NULL
enum(Larder\FailureKind::Closed)
int(2)
