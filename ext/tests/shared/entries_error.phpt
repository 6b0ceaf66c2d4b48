--TEST--
entries: a cursor that never was one
--EXTENSIONS--
larder
--FILE--
<?php
$memory = new Larder\SharedMemory();
$memory->set('key', 1);
foreach ([[-1, 1], [0, 0], [0, -1]] as [$cursor, $limit]) {
    try {
        $memory->entries($cursor, $limit);
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
}
var_dump(
    $memory->entries(PHP_INT_MAX),
    $memory->entries(0xffffffff)['next'],
    count($memory->entries(0, PHP_INT_MAX)['entries']),
);
?>
--EXPECT--
Larder\SharedMemory::entries(): Argument #1 ($cursor) must be greater than or equal to 0
Larder\SharedMemory::entries(): Argument #2 ($limit) must be greater than 0
Larder\SharedMemory::entries(): Argument #2 ($limit) must be greater than 0
array(2) {
  ["next"]=>
  NULL
  ["entries"]=>
  array(0) {
  }
}
NULL
int(1)
