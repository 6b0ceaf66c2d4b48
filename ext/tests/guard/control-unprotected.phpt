--TEST--
The guard itself: without protection a write goes through, and the checksum of what is stored shows it
--EXTENSIONS--
larder
pcntl
--SKIPIF--
<?php if (!extension_loaded('FFI')) die('skip needs FFI'); ?>
--INI--
larder.share=1
larder.protect=
larder.size=4M
ffi.enable=1
--FILE--
<?php

use Larder\SharedMemory;

require __DIR__ . '/guard.inc';

$store = new SharedMemory('control');
$store->set('array', ['word' => 'larder']);
$store->set('string', guard_string());
$before = guard_checksum($store);
$c = FFI::cdef('void *memset(char *at, int byte, size_t count);');
$end = guard_child(static fn() => $c->memset($store->get('array')['word'], ord('X'), 1));
echo $end->isFine() ? 'fine' : $end, "\n";
var_dump($store->get('array')['word'], $before === guard_checksum($store));
?>
--EXPECT--
fine
string(6) "Xarder"
bool(false)
