--TEST--
A reference cycle is refused with the place where it closes
--EXTENSIONS--
larder
--INI--
larder.share=1
--FILE--
<?php

declare(strict_types=1);

require __DIR__ . '/value.inc';

$a = ['n' => 1];
$a['x'] = &$a;
refuse($a);
$in = ['list' => [1, &$b]];
$b = ['back' => &$in];
refuse(['start' => &$in]);
$many = [&$many, &$many, &$many];
refuse($many);
$harmless = ['twice' => [$list = [1, 2], $list], &$list, &$list];
echo 'no cycle: ', again($harmless) === [...$harmless] ? 'same' : 'CHANGED', "\n";
$a = $b = $in = $many = null;
?>
--EXPECT--
Larder\Exception\UnstorableValue: $value['x'] is a reference to an array that it lies in; null, bool, int, float, string, array, enum and serializable objects can be stored
Larder\Exception\UnstorableValue: $value['start']['list'][1]['back'] is a reference to an array that it lies in; null, bool, int, float, string, array, enum and serializable objects can be stored
Larder\Exception\UnstorableValue: $value[0] is a reference to an array that it lies in; null, bool, int, float, string, array, enum and serializable objects can be stored
no cycle: same
