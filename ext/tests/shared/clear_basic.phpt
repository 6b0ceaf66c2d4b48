--TEST--
clear: all of one namespace
--EXTENSIONS--
larder
--FILE--
<?php
$here = new Larder\SharedMemory('here');
$there = new Larder\SharedMemory('there');
for ($i = 0; $i < 500; $i++) {
    $here->set("key $i", [$i]);
}
$there->set('key 1', 'stays');
$held = $here->get('key 7');
var_dump($here->clear(), $here->entries(), $there->get('key 1'), $held);
var_dump($here->clear());
?>
--EXPECT--
enum(Larder\Outcome::Done)
array(2) {
  ["next"]=>
  NULL
  ["entries"]=>
  array(0) {
  }
}
string(5) "stays"
array(1) {
  [0]=>
  int(7)
}
enum(Larder\Outcome::Done)
