--TEST--
has: a stored null is there
--EXTENSIONS--
larder
--FILE--
<?php
$memory = new Larder\SharedMemory();
var_dump($memory->has('key'));
$memory->set('key', null);
var_dump($memory->has('key'));
$memory->delete('key');
var_dump($memory->has('key'));
?>
--EXPECT--
bool(false)
bool(true)
bool(false)
