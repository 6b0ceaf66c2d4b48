--TEST--
set: values of all types come back as they were
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

final class Point
{
    public function __construct(public int $x = 1, private array $rest = [2.5]) {}
}

$server = MemcachedServer::unix();
$values = [
    'null' => null,
    'true' => true,
    'false' => false,
    'zero' => 0,
    'min' => PHP_INT_MIN,
    'max' => PHP_INT_MAX,
    'float' => 0.1 + 0.2,
    'whole' => 7.0,
    'nought' => -0.0,
    'inf' => INF,
    'empty' => '',
    'digits' => '7',
    'padded' => ' 7',
    'bytes' => "\0\r\n\xff",
    'list' => [1, 'two', [3.5]],
    'map' => ['a' => null, 7 => false],
    'object' => new Point(5), 'enum' => Larder\Outcome::Exists, 'long' => str_repeat("abc\0", 100000),
];
foreach ([[], ['serializer' => 'none'], ['layout' => 'memcache']] as $options) {
    $cache = new Larder\Memcached($server->address, ...$options, timeout: 5000, objects: true);
    foreach ($values as $name => $value) {
        if (isset($options['serializer']) && (is_array($value) || is_object($value) || $value === null)) {
            continue;
        }
        $done = $cache->set($name, $value);
        $got = $cache->get($name, 'missed');
        if ($done !== Larder\Outcome::Done || serialize($got) !== serialize($value)) {
            echo json_encode($options), " $name: ";
            var_dump($done, $got);
        }
    }
}
$number = 1;
$cache->set('reference', ['a' => &$number]);
$number = 2;
var_dump($cache->get('reference'), $server->stat('curr_items') >= count($values));
?>
--EXPECT--
array(1) {
  ["a"]=>
  int(1)
}
bool(true)
