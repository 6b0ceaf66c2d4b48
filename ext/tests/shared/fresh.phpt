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
$memory->set('soon', $until((int) (microtime(true) * 1e6) + 2_000_000, 'value'));
var_dump($memory->fresh('soon'));
usleep(2_010_000);
var_dump($memory->fresh('soon'));

// Stamps.
$memory->set('a', 1);
$memory->set('b', PHP_INT_MIN);
$memory->set('text', '1');
$other = new Larder\SharedMemory('other');
$other->set('elsewhere', 1);
$stamped = static fn(mixed $stamps, mixed $while = PHP_INT_MAX, int $until = 0): array => [
    MARKER => $until, 0 => 'value', 1 => 'more', 3 => $stamps, 7 => $while,
];
foreach ([
    'hold' => $stamped(['a' => 1, 'b' => PHP_INT_MIN]),
    'none' => $stamped([]),
    'before its time' => $stamped(['a' => 2], 0, PHP_INT_MAX),
    'another version' => $stamped(['a' => 1, 'b' => 2]),
    'missing' => $stamped(['a' => 1, 'c' => 1]),
    'elsewhere' => $stamped(['elsewhere' => 1]),
    'a string' => $stamped(['text' => 1]),
    'no number' => $stamped(['a' => '1']),
    'a list' => $stamped([1]),
    'an empty key' => $stamped(['' => 1]),
    'a long key' => $stamped([str_repeat('k', 1025) => 1]),
    'no array' => $stamped('a'),
    'over' => $stamped(['a' => 1], (int) (microtime(true) * 1e6) - 1),
    'no time' => $stamped(['a' => 1], 'never'),
    'without' => [MARKER => 0, 0 => 'value', 7 => PHP_INT_MAX],
] as $key => $value) {
    $memory->set('entry', $value);
    echo $key, ': ', json_encode([$memory->fresh('entry'), $memory->fresh('entry', true)]), "\n";
}
$memory->set('entry', $stamped(['a' => 1]));
$memory->increment('a');
var_dump($memory->fresh('entry', stamped: true));
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
hold: [null,"value"]
none: [null,"value"]
before its time: ["value","value"]
another version: [null,null]
missing: [null,null]
elsewhere: [null,null]
a string: [null,null]
no number: [null,null]
a list: [null,null]
an empty key: [null,null]
a long key: [null,null]
no array: [null,null]
over: [null,null]
no time: [null,null]
without: [null,null]
NULL
