--TEST--
touch: a new ttl from now on
--EXTENSIONS--
larder
--FILE--
<?php
$memory = new Larder\SharedMemory();
var_dump($memory->touch('key'));
$memory->set('key', 1, 0.1);
$memory->set('other', 1);
var_dump($memory->touch('key', 60), $memory->touch('other', 0.1));
usleep(150000);
var_dump($memory->has('key'), $memory->has('other'), $memory->touch('other'));
$memory->touch('key');
var_dump($memory->entries()['entries'][0]['expires']);
var_dump($memory->touch('key', 0), $memory->has('key'), $memory->touch('key', 0));
try {
    $memory->touch('key', NAN);
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
enum(Larder\Outcome::NotFound)
enum(Larder\Outcome::Done)
enum(Larder\Outcome::Done)
bool(true)
bool(false)
enum(Larder\Outcome::NotFound)
NULL
enum(Larder\Outcome::Done)
bool(false)
enum(Larder\Outcome::NotFound)
Larder\SharedMemory::touch(): Argument #2 ($ttl) must not be NAN
