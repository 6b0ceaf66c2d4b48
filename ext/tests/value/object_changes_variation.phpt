--TEST--
A __serialize that changes the value under way: what is there afterwards is stored, a new object refused
--EXTENSIONS--
larder
--INI--
larder.share=1
larder.protect=read
--FILE--
<?php

declare(strict_types=1);

require __DIR__ . '/value.inc';

final class Changer
{
    public function __construct(private ?Closure $change = null) {}

    public function __serialize(): array
    {
        ($this->change)();

        return [];
    }

    public function __unserialize(array $nothing): void {}
}

$run = static function (string $what, callable $change): void {
    $inner = ['text' => str_repeat('old', 9), 'list' => range(1, 100)];
    $value = ['first' => &$inner, 'changer' => null, 'last' => ['in' => &$inner]];
    $value['changer'] = new Changer(static function () use (&$inner, &$value, $change): void {
        $change($inner, $value);
        gc_collect_cycles();
    });
    echo $what, ': ';
    try {
        $found = again($value);
        array_walk_recursive($found, static function (mixed &$v): void { $v = is_object($v) ? $v::class : $v; });
        echo preg_replace('/\[1,.*?(\d+)\]/', '[..$1]', json_encode($found)), "\n";
    } catch (Throwable $thrown) {
        echo $thrown->getMessage(), "\n";
    }
};
$run('grows', static function (mixed &$inner): void { $inner['list'] = range(1, 5000); });
$run('shrinks', static function (mixed &$inner): void { $inner = ['list' => [1]]; });
$run('becomes a string', static function (mixed &$inner): void { $inner = str_repeat('s', 9); });
$run('gets an object', static function (mixed &$inner): void { $inner['o'] = new ArrayObject(); });
$run('gets a cycle', static function (mixed &$inner): void { $inner['self'] = &$inner; });
$run('gets a resource', static function (mixed &$inner): void { $inner = STDIN; });
$run('outer array', static function (mixed &$inner, array &$value): void { $value = ['all' => 'gone']; });
?>
--EXPECT--
grows: {"first":{"text":"oldoldoldoldoldoldoldoldold","list":[..5000]},"changer":"Changer","last":{"in":{"text":"oldoldoldoldoldoldoldoldold","list":[..5000]}}}
shrinks: {"first":{"list":[1]},"changer":"Changer","last":{"in":{"list":[1]}}}
becomes a string: {"first":"sssssssss","changer":"Changer","last":{"in":"sssssssss"}}
gets an object: $value['first']['o'] changed while it was being serialized; null, bool, int, float, string, array, enum and serializable objects can be stored
gets a cycle: $value['first']['self'] is a reference to an array that it lies in; null, bool, int, float, string, array, enum and serializable objects can be stored
gets a resource: $value['first'] is a resource; null, bool, int, float, string, array, enum and serializable objects can be stored
outer array: {"first":{"text":"oldoldoldoldoldoldoldoldold","list":[..100]},"changer":"Changer","last":{"in":{"text":"oldoldoldoldoldoldoldoldold","list":[..100]}}}
