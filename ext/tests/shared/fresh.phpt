--TEST--
fresh: the value of an entry whose time has not come, without a copy of the rest; null for everything else
--EXTENSIONS--
larder
--FILE--
<?php
$memory = new Larder\SharedMemory();
$until = fn(float|int|string|null $time, mixed ...$more) => ["\0larder" => $time] + $more;
$values = [
    'array' => $until(microtime(true) + 60, ['id' => 4]), 'string' => $until(PHP_FLOAT_MAX, 'text'), 'long' => $until(INF, str_repeat('x', 20000)),
    'false' => $until(PHP_FLOAT_MAX, false), 'null' => $until(PHP_FLOAT_MAX, null), 'object' => $until(PHP_FLOAT_MAX, new ArrayObject([1])),
    'over' => $until(microtime(true) - 0.001, 'old'), 'ends' => $until(microtime(true), 'old'), 'zero' => $until(0.0, 'old'),
    'int' => $until(PHP_INT_MAX, 'no'), 'text' => $until('9e9', 'no'), 'none' => $until(null, 'no'), 'nan' => $until(NAN, 'no'), 'empty' => ["\0larder" => PHP_FLOAT_MAX],
    'other array' => ['larder' => PHP_FLOAT_MAX, 0 => 'no'], 'no array' => 'text', 'counter' => 7, 'empty array' => [],
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
$memory->set('soon', $until(microtime(true) + 0.3, 'value'));
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
int: null
text: null
none: null
nan: null
empty: null
other array: null
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
