--TEST--
delete: the key is gone, and its lease too
--EXTENSIONS--
larder
--FILE--
<?php
$memory = new Larder\SharedMemory();
var_dump($memory->delete('key'));
$memory->set('key', [1]);
$held = $memory->get('key');
var_dump($memory->delete('key'), $memory->has('key'), $memory->delete('key'), $held);
$lease = $memory->lease('key');
var_dump($memory->delete('key'), $memory->set('key', 'from old data', lease: $lease), $memory->has('key'));
?>
--EXPECT--
enum(Larder\Outcome::NotFound)
enum(Larder\Outcome::Done)
bool(false)
enum(Larder\Outcome::NotFound)
array(1) {
  [0]=>
  int(1)
}
enum(Larder\Outcome::NotFound)
enum(Larder\Outcome::Exists)
bool(false)
