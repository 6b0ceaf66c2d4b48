--TEST--
A __serialize that changes the value under way: what is there afterwards is stored, a new object refused
--EXTENSIONS--
larder
--INI--
larder.share=1
larder.protect=1
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
        echo json_encode(array_map(static fn(mixed $v): mixed => is_array($v) && isset($v['list']) ? count($v['list']) : $v, $found)), "\n";
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
grows: {"first":5000,"changer":{},"last":{"in":{"text":"oldoldoldoldoldoldoldoldold","list":%s
