--TEST--
replace: stores if the key is there
--EXTENSIONS--
larder
--FILE--
<?php
$memory = new Larder\SharedMemory();
var_dump($memory->replace('key', 1), $memory->has('key'));
$memory->set('key', null);
var_dump($memory->replace('key', [2]), $memory->get('key') === [2]);
var_dump($memory->replace('key', 3, -1), $memory->has('key'), $memory->replace('key', 4, 0));
?>
--EXPECT--
enum(Larder\Outcome::NotFound)
bool(false)
enum(Larder\Outcome::Done)
bool(true)
enum(Larder\Outcome::Done)
bool(false)
enum(Larder\Outcome::NotFound)
