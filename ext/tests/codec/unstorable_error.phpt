--TEST--
Values: what cannot be stored is an exception that says where and what
--EXTENSIONS--
larder
igbinary
msgpack
--FILE--
<?php
require __DIR__ . '/../memcached/server.inc';

enum Pure
{
    case One;
}

enum Suit: string
{
    case Hearts = 'h';
}

final class Throws implements JsonSerializable
{
    public function __serialize(): array
    {
        throw new LogicException('not me');
    }

    public function jsonSerialize(): never
    {
        throw new LogicException('not me');
    }
}

$holder = new stdClass();
$holder->inside = static fn() => 1;
$deep = 'core';
for ($i = 0; $i < 5000; $i++) {
    $deep = [$deep];
}
$server = MemcachedServer::unix();
foreach (['php', 'igbinary', 'msgpack', 'json'] as $serializer) {
    echo "$serializer\n";
    $cache = new Larder\Memcached($server->address, serializer: $serializer, timeout: 5000);
    $cache->set('key', 'old');
    $values = [['a' => ['b' => ['c' => STDIN]]], [static fn() => 1], new Throws(), $deep];
    $values[] = $holder;
    if ($serializer === 'json' || $serializer === 'msgpack') {
        $values[] = [Pure::One];
    }
    if ($serializer === 'json') {
        array_push($values, ['at' => new DateTimeImmutable('2026-01-01')], Suit::Hearts, ["\xff"], [NAN]);
    }
    foreach ($values as $value) {
        try {
            $cache->set('key', $value);
            echo "stored\n";
        } catch (Throwable $error) {
            echo $error::class, ': ', $error->getMessage(), "\n";
        }
    }
    echo $cache->get('key') === 'old' ? 'not changed' : 'changed', ', json_last_error ', json_last_error(), "\n";
}
?>
--EXPECT--
php
Larder\Exception\UnstorableValue: $value['a']['b']['c'] is a resource; null, bool, int, float, string, array, enum and serializable objects can be stored
Larder\Exception\UnstorableValue: $value[0] is an object of class Closure, which cannot be serialized; null, bool, int, float, string, array, enum and serializable objects can be stored
LogicException: not me
Larder\Exception\UnstorableValue: the value is nested in more than unserialize_max_depth (4096) arrays, so it could not be read again
Larder\Exception\UnstorableValue: the value cannot be stored, for what an object in it holds: Serialization of 'Closure' is not allowed
not changed, json_last_error 0
igbinary
Larder\Exception\UnstorableValue: $value['a']['b']['c'] is a resource; null, bool, int, float, string, array, enum and serializable objects can be stored
Larder\Exception\UnstorableValue: $value[0] is an object of class Closure, which cannot be serialized; null, bool, int, float, string, array, enum and serializable objects can be stored
LogicException: not me
Larder\Exception\UnstorableValue: the value is nested in more than unserialize_max_depth (4096) arrays, so it could not be read again
Larder\Exception\UnstorableValue: the value cannot be stored, for what an object in it holds: Serialization of 'Closure' is not allowed
not changed, json_last_error 0
msgpack
Larder\Exception\UnstorableValue: $value['a']['b']['c'] is a resource; null, bool, int, float, string, array, enum and serializable objects can be stored
Larder\Exception\UnstorableValue: $value[0] is an object of class Closure, which cannot be serialized; null, bool, int, float, string, array, enum and serializable objects can be stored
LogicException: not me
Larder\Exception\UnstorableValue: the value is nested in more than unserialize_max_depth (4096) arrays, so it could not be read again
Larder\Exception\UnstorableValue: the value cannot be stored, for what an object in it holds: Serialization of 'Closure' is not allowed
Larder\Exception\UnstorableValue: the value cannot be stored: msgpack cannot restore the enum Pure
not changed, json_last_error 0
json
Larder\Exception\UnstorableValue: $value['a']['b']['c'] is a resource; null, bool, int, float, string, array, enum and serializable objects can be stored
Larder\Exception\UnstorableValue: $value[0] is an object of class Closure, which would not come back from JSON: choose another $serializer; null, bool, int, float, string, array can be stored
Larder\Exception\UnstorableValue: $value is an object of class Throws, which would not come back from JSON: choose another $serializer; null, bool, int, float, string, array can be stored
Larder\Exception\UnstorableValue: the value is nested in more than unserialize_max_depth (4096) arrays, so it could not be read again
Larder\Exception\UnstorableValue: $value is an object of class stdClass, which would not come back from JSON: choose another $serializer; null, bool, int, float, string, array can be stored
Larder\Exception\UnstorableValue: $value[0] is an object of class Pure, which would not come back from JSON: choose another $serializer; null, bool, int, float, string, array can be stored
Larder\Exception\UnstorableValue: $value['at'] is an object of class DateTimeImmutable, which would not come back from JSON: choose another $serializer; null, bool, int, float, string, array can be stored
Larder\Exception\UnstorableValue: $value is an object of class Suit, which would not come back from JSON: choose another $serializer; null, bool, int, float, string, array can be stored
Larder\Exception\UnstorableValue: the value cannot be stored as JSON: a string in it is not UTF-8
Larder\Exception\UnstorableValue: the value cannot be stored as JSON: INF and NAN have no form there
not changed, json_last_error 0
