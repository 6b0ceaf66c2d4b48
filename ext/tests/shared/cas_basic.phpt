--TEST--
cas: stores if the value is still of that version
--EXTENSIONS--
larder
--FILE--
<?php
$memory = new Larder\SharedMemory();
var_dump($memory->cas('key', 1, 1));
$memory->set('key', ['old']);
$version = $memory->read('key')->version;
var_dump($memory->cas('key', ['new'], $version), $memory->get('key')[0]);
var_dump($memory->cas('key', ['late'], $version), $memory->get('key')[0]);

$version = $memory->read('key')->version;
$memory->delete('key');
$memory->set('key', ['new']);
var_dump($memory->cas('key', ['same, but another'], $version));

$memory->set('count', 1);
$version = $memory->read('count')->version;
$memory->increment('count');
var_dump($memory->cas('count', 9, $version));
var_dump($memory->cas('count', 9, $memory->read('count')->version, 0), $memory->has('count'));
?>
--EXPECT--
enum(Larder\Outcome::NotFound)
enum(Larder\Outcome::Done)
string(3) "new"
enum(Larder\Outcome::Exists)
string(3) "new"
enum(Larder\Outcome::Exists)
enum(Larder\Outcome::Exists)
enum(Larder\Outcome::Done)
bool(false)
