--TEST--
A segment without a name is seen by forks too
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
var_dump($memory->info()['alone']);
if (pcntl_fork() === 0) {
    var_dump($memory->info()['alone']);
    exit;
}
pcntl_wait($status);
var_dump($memory->info()['alone']);
?>
--EXPECT--
bool(true)
bool(false)
bool(false)
