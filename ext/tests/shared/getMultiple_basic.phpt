--TEST--
getMultiple: what is there, in the order asked for
--EXTENSIONS--
larder
--FILE--
<?php
$memory = new Larder\SharedMemory();
$memory->set('a', 1);
$memory->set('b', null);
$memory->set('7', ['seven']);
$reference = 'b';
var_dump($memory->getMultiple(['missing', 7, &$reference, 'a', 'a']));
var_dump($memory->getMultiple([]));
?>
--EXPECT--
array(3) {
  [7]=>
  array(1) {
    [0]=>
    string(5) "seven"
  }
  ["b"]=>
  NULL
  ["a"]=>
  int(1)
}
array(0) {
}
