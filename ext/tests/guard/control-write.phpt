--TEST--
The guard itself: a write into a shared value ends the process, reading it does not
--EXTENSIONS--
larder
pcntl
--SKIPIF--
<?php if (!extension_loaded('FFI')) die('skip needs FFI'); ?>
--INI--
larder.share=1
larder.protect=read
larder.size=4M
ffi.enable=1
--FILE--
<?php

use Larder\SharedMemory;

require __DIR__ . '/guard.inc';

$store = new SharedMemory('control');
$store->set('array', ['word' => 'larder', 'list' => ['pear']]);
$store->set('string', guard_string());

// PHP hands a string's own bytes to a parameter of type char *.
$declared = 'void *memset(char *at, int byte, size_t count); int memcmp(const char *a, const char *b, size_t count);';
$c = FFI::cdef($declared);
$ends = [
    'reading a string' => static fn() => guard_same(0, $c->memcmp($store->get('string'), guard_string(), 100)),
    'writing a string' => static fn() => $c->memset($store->get('string'), 0, 1),
    'writing the same byte again' => static fn() => $c->memset($store->get('string'), ord('L'), 1),
    'writing a string inside an array' => static fn() => $c->memset($store->get('array')['word'], 0, 1),
    'writing a key of an array' => static fn() => $c->memset(array_key_first($store->get('array')), 0, 1),
    'writing a copy' => static fn() => $c->memset(strtoupper($store->get('array')['word']), 0, 1),
    'storing while protected' => static fn() => guard_same('Done', $store->set('new', $store->get('array'))->name),
    'writing after storing' => static fn() => $c->memset([$store->set('new', 1), $store->get('string')][1], 0, 1),
];
foreach ($ends as $name => $body) {
    $end = guard_child($body);
    echo "{$name}: ", $end->isFine() ? 'fine' : $end, "\n";
}
guard_same(guard_string(), $store->get('string'));
?>
--EXPECT--
reading a string: fine
writing a string: touched a guarded page (signal 11)
writing the same byte again: touched a guarded page (signal 11)
writing a string inside an array: touched a guarded page (signal 11)
writing a key of an array: touched a guarded page (signal 11)
writing a copy: fine
storing while protected: fine
writing after storing: touched a guarded page (signal 11)
