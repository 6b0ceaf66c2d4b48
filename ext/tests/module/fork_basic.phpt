--TEST--
pcntl_fork: parent and child share one segment, and count exactly
--EXTENSIONS--
larder
--SKIPIF--
<?php
if (!function_exists('pcntl_fork')) {
    echo 'skip needs pcntl';
}
?>
--FILE--
<?php
$memory = new Larder\SharedMemory();
$memory->set('count', 0);
$children = [];
for ($i = 0; $i < 4; $i++) {
    $child = pcntl_fork();
    if ($child === 0) {
        for ($n = 0; $n < 1000; $n++) {
            $memory->increment('count');
            $memory->increment("start $n", 1, 1);
        }
        $memory->set("from $i", ['child' => $i]);
        exit;
    }
    $children[] = $child;
}
foreach ($children as $child) {
    pcntl_waitpid($child, $status);
}
$starts = [];
for ($n = 0; $n < 1000; $n++) {
    $starts[$memory->get("start $n")] = true;
}
var_dump(array_keys($starts));
var_dump(
    $memory->get('count'),
    count($memory->getMultiple(['from 0', 'from 1', 'from 2', 'from 3'])),
    $memory->get('from 3'),
);
?>
--EXPECT--
array(1) {
  [0]=>
  int(4)
}
int(4000)
int(4)
array(1) {
  ["child"]=>
  int(3)
}
