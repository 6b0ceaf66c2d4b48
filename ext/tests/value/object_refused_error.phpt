--TEST--
What refuses inside an object is named by the object's place; a class's own exception goes through
--EXTENSIONS--
larder
--INI--
larder.share=1
--FILE--
<?php

declare(strict_types=1);

require __DIR__ . '/value.inc';

final class Holder
{
    public function __construct(public mixed $held = null) {}
}

final class Thrower
{
    public function __serialize(): array
    {
        throw new DomainException('not today');
    }
}

refuse(['ok' => new Holder(1), 'a' => [new Holder(2), new Holder(new Holder(static fn(): int => 1))]]);
refuse(new Holder(new class {}));
refuse(['a' => new Thrower()]);
refuse([new Holder(new Thrower()), static fn(): int => 1]);
refuse([new Holder(new Thrower())]);
?>
--EXPECT--
Larder\Exception\UnstorableValue: $value['a'][1] is an object of class Holder with something in it that cannot be serialized; null, bool, int, float, string, array, enum and serializable objects can be stored
  after Exception: Serialization of 'Closure' is not allowed
Larder\Exception\UnstorableValue: $value is an object of class Holder with something in it that cannot be serialized; null, bool, int, float, string, array, enum and serializable objects can be stored
  after Exception: Serialization of 'class@anonymous' is not allowed
DomainException: not today
Larder\Exception\UnstorableValue: $value[1] is an object of class Closure, which cannot be serialized; null, bool, int, float, string, array, enum and serializable objects can be stored
DomainException: not today
