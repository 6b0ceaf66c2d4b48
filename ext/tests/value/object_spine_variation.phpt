--TEST--
Only the arrays on the way to an object are copied
--EXTENSIONS--
larder
--INI--
larder.share=1
larder.protect=read
--FILE--
<?php

declare(strict_types=1);

require __DIR__ . '/value.inc';

$plain = ['x' => [1, 2], 'text' => str_repeat('long', 3)];
$found = again([
    'plain' => $plain,
    'way' => ['there' => [new ArrayObject([1]), $plain], 'plain' => $plain],
    'list' => [1, 2],
]);
var_dump(shared($found), shared($found['way']), shared($found['way']['there']));
var_dump(
    shared($found['plain']),
    shared($found['way']['plain']),
    shared($found['way']['there'][1]),
    shared($found['list']),
    shared($found['plain']['text']),
);
$found['way']['there'][0][] = 2;
$found['way']['there'][] = 'new';
$found['new'] = 'key';
unset($found['plain']);
echo json_encode($found), "\n";
echo json_encode((new Larder\SharedMemory())->get('value')), "\n";
?>
--EXPECT--
bool(false)
bool(false)
bool(false)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
{"way":{"there":[{"0":1,"1":2},{"x":[1,2],"text":"longlonglong"},"new"],"plain":{"x":[1,2],"text":"longlonglong"}},"list":[1,2],"new":"key"}
{"plain":{"x":[1,2],"text":"longlonglong"},"way":{"there":[{"0":1},{"x":[1,2],"text":"longlonglong"}],"plain":{"x":[1,2],"text":"longlonglong"}},"list":[1,2]}
