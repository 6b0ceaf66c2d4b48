--TEST--
get: every type comes back as it was stored; a default stands for a miss only
--EXTENSIONS--
larder
--FILE--
<?php
$memory = new Larder\SharedMemory();
$values = [
    'null' => null, 'false' => false, 'true' => true, 'zero' => 0, 'int' => PHP_INT_MIN, 'float' => 0.1, 'nan' => -0.0,
    'empty string' => '', 'byte' => "\0", 'string' => 'text', 'long string' => str_repeat('0123456789abcdef', 4096),
    'empty array' => [],
    'list' => [1, 'two', 3.0, null],
    'map' => ['a' => ['b' => ['c' => true]], 7 => 'seven', '' => 'none'],
];
foreach ($values as $key => $value) {
    $memory->set($key, $value);
}
foreach ($values as $key => $value) {
    if ($memory->get($key, 'default') !== $value) {
        echo $key, ' is another: ';
        var_dump($memory->get($key, 'default'));
    }
}
$stored = $memory->get('map');
$stored['a']['b']['c'] = 'mine';
var_dump($memory->get('map')['a']['b']['c']);

var_dump($memory->get('missing'), $memory->get('missing', 'default'));
var_dump($memory->get('null', 'default'), $memory->get('false', 'default'));
$default = [1, 2];
var_dump($memory->get(default: $default, key: 'missing') === $default);
?>
--EXPECT--
bool(true)
NULL
string(7) "default"
NULL
bool(false)
bool(true)
