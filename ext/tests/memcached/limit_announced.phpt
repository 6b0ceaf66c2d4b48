--TEST--
OverLimit: what a server announces is reserved only as it comes, and refused beyond the setting or memory_limit
--EXTENSIONS--
larder
posix
--SKIPIF--
<?php
if (getenv('SKIP_ASAN')) {
    echo "skip needs PHP's own allocator, for its memory_limit";
}
?>
--INI--
memory_limit=128M
--FILE--
<?php
require __DIR__ . '/server.inc';
require __DIR__ . '/peer.inc';

/** @param list<Larder\Failure> $failures */
function told(array $failures): string
{
    return json_encode(array_map(
        fn($failure) => [$failure->kind->name, $failure->key, $failure->size, $failure->limit],
        $failures,
    ));
}

/* Announces much and sends nothing of it. */
foreach (['1073741824', '67108865', '67108864', '1000000'] as $size) {
    $liar = new Peer(function (Wire $wire): void {
        $line = (string) $wire->request();
        $wire->say((string) preg_replace('/^mg (\d+) .*/', 'VA $1 f0 O*' . "\r\n", $line));
        $wire->awaitClose();
    });
    $cache = new Larder\Memcached($liar->address, timeout: 100);
    $before = memory_get_usage(true);
    memory_reset_peak_usage();
    var_dump($cache->get($size));
    echo told($cache->failures()), ' ', memory_get_peak_usage(true) - $before <= 2 << 20 ? 'little' : 'MUCH', "\n";
}

/* Sends all of it: the replies behind it are still read, over the same connection. */
$server = MemcachedServer::unix('-I', '128m', '-m', '512');
$cache = new Larder\Memcached($server->address, timeout: 20000, prefix: '');
$large = str_repeat('0123456789abcdef', 3 << 16);
$cache->setMultiple(['a' => 'before', 'large' => $large, 'b' => 'behind', 'half' => substr($large, 0, 1 << 20)]);
$whole = $cache->getMultiple(['a', 'large', 'b', 'half']);
var_dump($whole['large'] === $large, strlen($whole['half']), count($cache->failures()));
unset($whole);
ini_set('larder.memcached_value_max', '1M');
var_dump(array_keys($cache->getMultiple(['a', 'large', 'b', 'half'])));
echo told($cache->failures()), "\n";
echo str_replace($server->address, 'SERVER', $cache->failures()[0]->message), "\n";
echo json_encode($cache->read('large')), ' ', $cache->append('large', 'more')->name, "\n";
var_dump($cache->info()[$server->address]['connects'], $cache->get('b'));

/* What memory_limit has left is less than the setting allows. */
ini_set('larder.memcached_value_max', '1G');
unset($large);
$room = memory_get_usage(true) + (3 << 20);
$held = str_repeat('x', (128 << 20) - $room);
var_dump($cache->get('large'));
$failure = $cache->failures()[0];
echo told([$failure]), ' ', str_replace($server->address, 'SERVER', $failure->message), "\n";
var_dump(strlen($cache->get('half')), $cache->get('b'));
/* And with nothing to spare at all small ones are still had, or refused: the script goes on. */
$most = (128 << 20) - memory_get_usage(true);
$more = $most > 4096 ? str_repeat('y', $most - 4096) : '';
var_dump($cache->get('b'));
for ($i = 0, $kept = []; $i < 4000; $i++) {
    $kept[] = $cache->get('half') !== null;
}
var_dump(count($kept), ini_set('larder.memcached_value_max', 'all'));
?>
--EXPECTF--
NULL
[["TimedOut",null,null,null]] little
NULL
[["TimedOut",null,null,null]] little
NULL
[["TimedOut",null,null,null]] little
NULL
[["TimedOut",null,null,null]] little
bool(true)
int(1048576)
int(0)
array(3) {
  [0]=>
  string(1) "a"
  [1]=>
  string(1) "b"
  [2]=>
  string(4) "half"
}
[["OverLimit","large",3145728,1048576]]
"large": SERVER has 3145728 bytes or more for it, and 1048576 are taken: store less, or raise larder.memcached_value_max
{"hit":false,"value":null,"version":0,"stale":false,"lease":null,"answered":true} Done
int(1)
string(6) "behind"
NULL
[["OverLimit","large",%d,null]] "large": SERVER has a value that takes %d bytes or more here, which memory_limit does not have left: store less, or raise it
int(1048576)
string(6) "behind"
string(6) "behind"

Warning: ini_set(): larder.memcached_value_max must be bytes from 1 to 1G, such as 64M, "all" given; it stays as it was in %s on line %d
int(4000)
bool(false)
