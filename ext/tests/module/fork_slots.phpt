--TEST--
pcntl_fork while values are held, with no process slot left: the child ends rather than read what may change
--EXTENSIONS--
larder
--INI--
larder.slots=1
larder.share=1
--SKIPIF--
<?php
if (!function_exists('pcntl_fork')) {
    echo 'skip needs pcntl';
}
?>
--FILE--
<?php
$memory = new Larder\SharedMemory();
var_dump($memory->info()['slots']);
$memory->set('key', [1, 2, 3]);
$held = $memory->get('key');
$child = pcntl_fork();
if ($child === 0) {
    echo "not reached\n";
    exit(0);
}
pcntl_waitpid($child, $status);
var_dump(pcntl_wexitstatus($status), $held);
?>
--EXPECTF--
int(1)

Fatal error: No slot of the shared memory is free for this process, and it holds values from it in %s on line %d
int(255)
array(3) {
  [0]=>
  int(1)
  [1]=>
  int(2)
  [2]=>
  int(3)
}
