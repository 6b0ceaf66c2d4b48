--TEST--
increment, decrement: add to an integer
--EXTENSIONS--
larder
--FILE--
<?php
$memory = new Larder\SharedMemory();
var_dump($memory->increment('n'), $memory->has('n'));
var_dump(
    $memory->increment('n', 5, 10),
    $memory->increment('n', 5, 10),
    $memory->increment('n'),
    $memory->increment('n', -20),
);
var_dump($memory->decrement('n', 3), $memory->decrement('down', initial: 0), $memory->decrement('down'));

var_dump($memory->increment('short', initial: 1, ttl: 0.1), $memory->increment('short', ttl: 60));
usleep(150000);
var_dump($memory->increment('short'));
$memory->set('keeps', 1, 0.1);
$memory->increment('keeps');
usleep(150000);
var_dump($memory->has('keeps'));
var_dump($memory->increment('gone', initial: 3, ttl: 0), $memory->has('gone'));
?>
--EXPECT--
enum(Larder\Outcome::NotFound)
bool(false)
int(10)
int(15)
int(16)
int(-4)
int(-7)
int(0)
int(-1)
int(1)
int(2)
enum(Larder\Outcome::NotFound)
bool(false)
int(3)
bool(false)
