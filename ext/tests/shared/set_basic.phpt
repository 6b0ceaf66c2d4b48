--TEST--
set: stores, replaces, and changes the type
--EXTENSIONS--
larder
--FILE--
<?php
$memory = new Larder\SharedMemory();
var_dump($memory->set('key', 1));
var_dump($memory->get('key'));
var_dump($memory->set('key', ['a' => 'b']));
var_dump($memory->get('key'));
var_dump($memory->set('key', $memory->get('key') + ['again' => $memory->get('key')]));
echo json_encode($memory->get('key')), "\n";
?>
--EXPECT--
enum(Larder\Outcome::Done)
int(1)
enum(Larder\Outcome::Done)
array(1) {
  ["a"]=>
  string(1) "b"
}
enum(Larder\Outcome::Done)
{"a":"b","again":{"a":"b"}}
