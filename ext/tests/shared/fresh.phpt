--TEST--
fresh: the value of an entry whose time is not over, without a copy of the rest; null for everything else
--EXTENSIONS--
larder
--FILE--
<?php
$memory = new Larder\SharedMemory();
const MARKER = Larder\NearStore::MARKER;
$until = fn(float|int|string|null $time, mixed ...$more) => [MARKER => $time] + $more;
$now = (int) (microtime(true) * 1e6);
$values = [
    'array' => $until($now + 60_000_000, ['id' => 4]),
    'string' => $until(PHP_INT_MAX, 'text'),
    'long' => $until(PHP_INT_MAX, str_repeat('x', 20000)),
    'false' => $until(PHP_INT_MAX, false),
    'null' => $until(PHP_INT_MAX, null),
    'object' => $until(PHP_INT_MAX, new ArrayObject([1])),
    'over' => $until($now - 1000, 'old'), 'ends' => $until($now, 'old'), 'zero' => $until(0, 'old'),
    'float' => $until(PHP_FLOAT_MAX, 'no'),
    'text' => $until('9e9', 'no'),
    'none' => $until(null, 'no'),
    'negative' => $until(PHP_INT_MIN, 'no'),
    'empty' => [MARKER => PHP_INT_MAX],
    'other array' => ['entry' => PHP_INT_MAX, 0 => 'no'], 'late marker' => ['a' => 1, MARKER => PHP_INT_MAX, 0 => 'no'],
    'late value' => [MARKER => PHP_INT_MAX, 'a' => 1, 0 => 'no'],
    'no array' => 'text',
    'counter' => 7,
    'empty array' => [],
];
foreach ($values as $key => $value) {
    $memory->set($key, $value);
    $fresh = $memory->fresh($key);
    echo $key, ': ', is_string($fresh) ? substr($fresh, 0, 5) : json_encode($fresh), "\n";
}
var_dump($memory->fresh('missing'), $memory->fresh(''), $memory->fresh(str_repeat('k', 1025)));
$row = $memory->fresh('array');
$row['id'] = 5;
var_dump($memory->fresh('array')['id'], $memory->fresh('object') == new ArrayObject([1]));
$memory->set('soon', $until((int) (microtime(true) * 1e6) + 300_000, 'value'));
var_dump($memory->fresh('soon'));
usleep(310000);
var_dump($memory->fresh('soon'));
?>
--EXPECT--
array: {"id":4}
string: text
long: xxxxx
false: false
null: null
object: {"0":1}
over: null
ends: null
zero: null
float: null
text: null
none: null
negative: null
empty: null
other array: null
late marker: null
late value: null
no array: null
counter: null
empty array: null
NULL
NULL
NULL
int(4)
bool(true)
string(5) "value"
NULL
