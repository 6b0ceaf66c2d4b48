--TEST--
add: stores if the key is not there
--EXTENSIONS--
larder
--FILE--
<?php
$memory = new Larder\SharedMemory();
var_dump($memory->add('key', null), $memory->add('key', 2), $memory->get('key', 'default'));
$memory->delete('key');
var_dump($memory->add('key', 3, 0.05));
usleep(100000);
var_dump($memory->add('key', 4), $memory->get('key'));
var_dump($memory->add('key', 5, 0), $memory->get('key'));
var_dump($memory->add('new', 6, 0), $memory->has('new'));
?>
--EXPECT--
enum(Larder\Outcome::Done)
enum(Larder\Outcome::Exists)
NULL
enum(Larder\Outcome::Done)
enum(Larder\Outcome::Done)
int(4)
enum(Larder\Outcome::Exists)
int(4)
enum(Larder\Outcome::Done)
bool(false)
