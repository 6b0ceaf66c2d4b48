--TEST--
A namespace is a separate set of keys
--EXTENSIONS--
larder
--INI--
larder.namespace=pool
--FILE--
<?php
$default = new Larder\SharedMemory();
$same = new Larder\SharedMemory('pool');
$empty = new Larder\SharedMemory('');
$longest = new Larder\SharedMemory(str_repeat('n', 63));
$default->set('key', 'pool');
var_dump($same->get('key'), $empty->get('key'), $longest->get('key'));
$longest->set('key', 'longest');
var_dump($default->get('key'), $longest->get('key'), $default->info()['namespace'], $empty->info()['namespace']);
?>
--EXPECT--
string(4) "pool"
NULL
NULL
string(4) "pool"
string(7) "longest"
string(4) "pool"
string(0) ""
