--TEST--
lease, release: for a key with or without a value
--EXTENSIONS--
larder
--FILE--
<?php
$memory = new Larder\SharedMemory();
$memory->set('key', 1);
$lease = $memory->lease('key');
var_dump(is_int($lease), $memory->lease('key'), $memory->get('key'), $memory->info()['leases']);
var_dump(
    $memory->release('key', $lease + 1),
    $memory->release('other', $lease),
    $memory->release('key', $lease),
    $memory->release('key', $lease),
);
var_dump($memory->info()['leases'], is_int($memory->lease('key')));
?>
--EXPECT--
bool(true)
NULL
int(1)
int(1)
bool(false)
bool(false)
bool(true)
bool(false)
int(0)
bool(true)
