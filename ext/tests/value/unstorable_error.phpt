--TEST--
What cannot be stored is refused with its place; nothing is changed
--EXTENSIONS--
larder
--INI--
larder.share=1
--FILE--
<?php

declare(strict_types=1);

require __DIR__ . '/value.inc';

$memory = new Larder\SharedMemory();
$memory->set('refused', 'before');
$r = fopen('php://memory', 'r');
refuse($r);
refuse(['a' => [1, 2, 3, $r]]);
refuse(['f' => static fn(): int => 1]);
refuse([[7 => (static fn() => yield 1)()]]);
refuse(['a' => ['o' => new class {}]]);
refuse([-5 => $r]);
refuse(["it's \\ a\nkey\0\xff" => $r]);
refuse([str_repeat('0123456789', 7) => $r]);
refuse([str_repeat("\u{e9}", 40) => $r]);
fclose($r);
refuse(["caf\u{e9}" => $r]);
refuse(new SplFileInfo(__FILE__));
echo $memory->get('refused'), "\n";
?>
--EXPECT--
Larder\Exception\UnstorableValue: $value is a resource; null, bool, int, float, string, array, enum and serializable objects can be stored
Larder\Exception\UnstorableValue: $value['a'][3] is a resource; null, bool, int, float, string, array, enum and serializable objects can be stored
Larder\Exception\UnstorableValue: $value['f'] is an object of class Closure, which cannot be serialized; null, bool, int, float, string, array, enum and serializable objects can be stored
Larder\Exception\UnstorableValue: $value[0][7] is an object of class Generator, which cannot be serialized; null, bool, int, float, string, array, enum and serializable objects can be stored
Larder\Exception\UnstorableValue: $value['a']['o'] is an object of class class@anonymous, which cannot be serialized; null, bool, int, float, string, array, enum and serializable objects can be stored
Larder\Exception\UnstorableValue: $value[-5] is a resource; null, bool, int, float, string, array, enum and serializable objects can be stored
Larder\Exception\UnstorableValue: $value['it\'s \\ a\x0Akey\x00\xFF'] is a resource; null, bool, int, float, string, array, enum and serializable objects can be stored
Larder\Exception\UnstorableValue: $value['012345678901234567890123456789012345678901234567890123456789...'] is a resource; null, bool, int, float, string, array, enum and serializable objects can be stored
Larder\Exception\UnstorableValue: $value['éééééééééééééééééééééééééééééé...'] is a resource; null, bool, int, float, string, array, enum and serializable objects can be stored
Larder\Exception\UnstorableValue: $value['café'] is a resource; null, bool, int, float, string, array, enum and serializable objects can be stored
Larder\Exception\UnstorableValue: $value is an object of class SplFileInfo, which cannot be serialized; null, bool, int, float, string, array, enum and serializable objects can be stored
before
