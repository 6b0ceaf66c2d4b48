--TEST--
Complaints 4 and 5: no slow misses, exact counters with a first value and a life, and keys with any bytes
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::tcp();
$cache = new Larder\Memcached($server->address, timeout: 2000);
$cache->get('connected');
/* What is sent in two pieces waits for 40 ms each time. The best of many: a busy machine can only lengthen it. */
$times = [];
for ($number = 0; $number < 41; $number++) {
    $begin = hrtime(true);
    $cache->get("missing$number");
    $cache->set("value$number", str_repeat('x', 5000));
    $times[] = hrtime(true) - $begin;
}
var_dump(min($times) < 40e6);
/* The first value, and its life. */
var_dump(
    $cache->increment('n'),
    $cache->increment('n', 5, 100, 50),
    $cache->increment('n', 5, 100, 500),
    $cache->decrement('n', 200),
);
echo preg_match('/^HD t(49|50)\r/', $server->ask('mg n t')), "\n";
foreach ([2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 53, PHP_INT_MAX - 1, -1, -5, PHP_INT_MIN] as $first) {
    $cache->delete('m');
    $sum = $cache->increment('m', 1, $first);
    echo json_encode([
        $sum === $first,
        $cache->increment('m') === $first + 1,
        $cache->get('m') === $first + 1,
        $cache->decrement('m') === $first,
        $cache->get('m') === $first,
    ]), "\n";
}
$cache->set('max', PHP_INT_MAX);
var_dump($cache->increment('max'), $cache->get('max') === PHP_INT_MAX);
/* Many at once make it once, and none is lost. */
$children = [];
for ($child = 0; $child < 4; $child++) {
    $children[] = $pid = pcntl_fork();
    if ($pid === 0) {
        for ($number = 0; $number < 500; $number++) {
            $cache->increment('race', 1, 1);
        }
        exit(0);
    }
}
foreach ($children as $pid) {
    pcntl_waitpid($pid, $status);
}
var_dump($cache->get('race'));
/* What Symfony's tags are made of. */
$cache->setMultiple(["\0tags\0a" => 1, "\1\0\2" => 2, "a\nb" => 3, "a b\r\nset c 0 0 1\r\nx" => 4]);
var_dump(array_values($cache->getMultiple(["\0tags\0a", "\1\0\2", "a\nb", "a b\r\nset c 0 0 1\r\nx", 'c'])));
?>
--EXPECT--
bool(true)
enum(Larder\Outcome::NotFound)
int(100)
int(105)
int(-95)
1
[true,true,true,true,true]
[true,true,true,true,true]
[true,true,true,true,true]
[true,true,true,true,true]
[true,true,true,true,true]
[true,true,true,true,true]
[true,true,true,true,true]
[true,true,true,true,true]
enum(Larder\Outcome::Exists)
bool(true)
int(2000)
array(4) {
  [0]=>
  int(1)
  [1]=>
  int(2)
  [2]=>
  int(3)
  [3]=>
  int(4)
}
