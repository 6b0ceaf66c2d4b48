--TEST--
No process slot left: reads are counted misses and writes refused, without a warning
--EXTENSIONS--
larder
--INI--
larder.slots=1
larder.share=0
--SKIPIF--
<?php
if (!function_exists('pcntl_fork')) {
    echo 'skip needs pcntl';
}
?>
--FILE--
<?php
$memory = new Larder\SharedMemory();
$memory->set('key', 1);
$memory->get('key');
if (pcntl_fork() === 0) {
    var_dump(
        $memory->get('key', 'default'),
        $memory->has('key'),
        $memory->read('key')->hit,
        $memory->set('new', 1),
        $memory->add('new', 1),
    );
    var_dump(
        $memory->getOrLease('key')->hit,
        $memory->getOrLease('key')->lease,
        $memory->lease('key'),
        $memory->entries(),
        $memory->info()['noSlot'] > 0,
    );
    exit;
}
pcntl_wait($status);
var_dump(pcntl_wexitstatus($status), $memory->get('key'), $memory->has('new'));
?>
--EXPECT--
string(7) "default"
bool(false)
bool(false)
enum(Larder\Outcome::Refused)
enum(Larder\Outcome::Refused)
bool(false)
int(0)
int(0)
array(2) {
  ["next"]=>
  NULL
  ["entries"]=>
  array(0) {
  }
}
bool(true)
int(0)
int(1)
bool(false)
