--TEST--
read: the value with its version
--EXTENSIONS--
larder
--FILE--
<?php
$memory = new Larder\SharedMemory();
$miss = $memory->read('key');
var_dump($miss->hit, $miss->value, $miss->version, $miss->stale, $miss->lease);

$memory->set('key', null);
$first = $memory->read('key');
var_dump($first->hit, $first->value, $first->version > 0, $first->version === $memory->read('key')->version);
$memory->set('key', [1]);
var_dump($memory->read('key')->version === $first->version, $memory->read('key')->value);
try {
    $first->hit = false;
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
bool(false)
NULL
int(0)
bool(false)
NULL
bool(true)
NULL
bool(true)
bool(true)
bool(false)
array(1) {
  [0]=>
  int(1)
}
Cannot modify readonly property Larder\Answer::$hit
