--TEST--
set with a lease: stores while it is held
--EXTENSIONS--
larder
--FILE--
<?php
$memory = new Larder\SharedMemory();
$lease = $memory->lease('key');
var_dump($memory->set('key', 1, lease: $lease), $memory->get('key'));
var_dump($memory->set('key', 2, lease: $lease), $memory->get('key'));

$lease = $memory->lease('key');
var_dump($memory->set('key', 3, 0, $lease), $memory->has('key'));
var_dump($memory->set('key', 4, 0, $lease));

$lease = $memory->lease('key');
var_dump($memory->set('other', 5, lease: $lease), $memory->has('other'));
var_dump($memory->set('key', 5, lease: $lease + 1), $memory->set('key', 6, lease: 0), $memory->has('key'));
var_dump($memory->set('key', 7, lease: $lease), $memory->get('key'));
?>
--EXPECT--
enum(Larder\Outcome::Done)
int(1)
enum(Larder\Outcome::Exists)
int(1)
enum(Larder\Outcome::Done)
bool(false)
enum(Larder\Outcome::Exists)
enum(Larder\Outcome::Exists)
bool(false)
enum(Larder\Outcome::Exists)
enum(Larder\Outcome::Exists)
bool(false)
enum(Larder\Outcome::Done)
int(7)
