--TEST--
Values that use the same object while they are encoded and decoded
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

final class Reenters
{
    public function __construct(private string $way) {}

    public function __serialize(): array
    {
        global $cache;
        $cache->set('key', 'from within');
        $cache->setMultiple(['other' => [$cache->get('key')], 'more' => 1]);
        return ['seen' => $cache->get('other'), 'way' => $this->way];
    }

    public function __unserialize(array $data): void
    {
        global $cache;
        $cache->delete('key');
        $cache->set('key', 'after');
        $cache->increment('decoded', 1, 1);
        echo json_encode($data + $cache->getMultiple(['key', 'more', 'none'])), "\n";
    }
}

$servers = [MemcachedServer::unix(), MemcachedServer::unix()];
$cache = new Larder\Memcached(array_column($servers, 'address'), shared: false, timeout: 5000, objects: true);
var_dump($cache->set('key', ['before', new Reenters('set'), 'behind']));
$value = $cache->get('key');
var_dump($value[0], $value[1]::class, $value[2], $cache->get('key'));

$values = ['a' => new Reenters('a'), 'b' => 'plain', 'c' => [new Reenters('c')], 'd' => str_repeat('x', 100000)];
echo json_encode(array_column($cache->setMultiple($values), 'name')), "\n";
$got = $cache->getMultiple(['a', 'b', 'none', 'c', 'd']);
var_dump(array_keys($got), $got['d'] === $values['d'], $cache->get('decoded'));

/* The object itself goes away meanwhile. */
final class Drops
{
    public function __unserialize(array $data): void
    {
        $GLOBALS['cache'] = null;
        gc_collect_cycles();
    }
}
$cache->setMultiple(['first' => new Drops(), 'second' => 'still read']);
var_dump($cache->getMultiple(['first', 'second'])['second'], $cache);
?>
--EXPECT--
enum(Larder\Outcome::Done)
{"seen":["from within"],"way":"set","key":"after","more":1}
string(6) "before"
string(8) "Reenters"
string(6) "behind"
string(5) "after"
["Done","Done","Done","Done"]
{"seen":["from within"],"way":"a","key":"after","more":1}
{"seen":["from within"],"way":"c","key":"after","more":1}
array(4) {
  [0]=>
  string(1) "a"
  [1]=>
  string(1) "b"
  [2]=>
  string(1) "c"
  [3]=>
  string(1) "d"
}
bool(true)
int(3)
string(10) "still read"
NULL
