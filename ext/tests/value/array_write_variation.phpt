--TEST--
Writing to a fetched array separates it and leaves the stored one as it was
--EXTENSIONS--
larder
--INI--
larder.share=1
larder.protect=read
--FILE--
<?php

declare(strict_types=1);

require __DIR__ . '/value.inc';

$value = ['b' => [3, 1, 2], 'a' => ['x' => ['y' => 1]], 'c' => 'text', 'd' => []];
$writes = [
    'append' => static function (array $v): mixed { $v[] = 1; $v['b'][] = 4; $v['d'][] = 5; return $v['b']; },
    'unset' => static function (array $v): mixed { unset($v['b'], $v['a']['x']); return $v; },
    'sort' => static function (array $v): mixed { sort($v['b']); ksort($v); return $v; },
    'usort' => static function (
        array $v,
    ): mixed { usort($v['b'], static fn(int $a, int $b): int => $b <=> $a); return $v['b']; },
    'foreach by reference' => static function (
        array $v,
    ): mixed { foreach ($v['b'] as &$e) { $e *= 2; } return $v['b']; },
    'reference deep inside' => static function (array $v): mixed { $r = &$v['a']['x']['y']; $r = 2; return $v['a']; },
    'array functions' => static function (
        array $v,
    ): mixed { array_walk_recursive(
        $v,
        static function (mixed &$e): void { $e = 0; },
    ); array_splice($v['b'], 0, 1, [9]); array_multisort($v['b']); return array_merge_recursive($v, $v); },
    'pointer' => static function (
        array $v,
    ): mixed { next($v); end($v['b']); return [current($v), key($v), current($v['b'])]; },
    'ArrayObject' => static function (
        array $v,
    ): mixed { $o = new ArrayObject($v); $o['n'] = 1; $o->ksort(); $i = $o->getIterator(); $i->next(); unset(
        $o['b'],
    ); return $o->getArrayCopy(); },
    'guards' => static function (
        array $v,
    ): mixed { return [
        json_encode($v),
        count($v, COUNT_RECURSIVE),
        $v == $v,
        serialize($v) !== '',
        print_r($v, true) !== '',
        var_export($v, true) !== '',
    ]; },
    'extract, compact' => static function (
        array $v,
    ): mixed { extract($v); $b[] = 1; $c .= '!'; return compact('b', 'c'); },
    'string offset' => static function (array $v): mixed { $v['c'][0] = 'T'; @$v['c']++; return $v['c']; },
    'gc' => static function (
        array $v,
    ): mixed { $o = new stdClass(); $o->self = $o; $o->v = $v; $o->v['b'][] = $o; unset(
        $o,
    ); return gc_collect_cycles() > 0; },
    'splat' => static function (array $v): mixed { return max(...$v['b']) + count([...$v, ...$v['b']]); },
];
foreach ($writes as $name => $write) {
    $expected = $write($value);
    echo $name, ': ', $write(again($value)) === $expected
        ? 'same'
        : 'OTHER', (new Larder\SharedMemory())->get('value') === $value ? '' : ', STORED VALUE CHANGED', "\n";
}
?>
--EXPECT--
append: same
unset: same
sort: same
usort: same
foreach by reference: same
reference deep inside: same
array functions: same
pointer: same
ArrayObject: same
guards: same
extract, compact: same
string offset: same
gc: same
splat: same
