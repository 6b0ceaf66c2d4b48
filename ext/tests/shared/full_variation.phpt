--TEST--
A full segment evicts; a value too large for it is refused, without a warning
--EXTENSIONS--
larder
--INI--
larder.size=2M
larder.share=0
--FILE--
<?php
$memory = new Larder\SharedMemory();
$refused = 0;
for ($i = 0; $i < 2000; $i++) {
    $refused += $memory->set("key $i", array_fill(0, 100, "value $i")) === Larder\Outcome::Done ? 0 : 1;
}
$info = $memory->info();
var_dump($refused, $info['evictions'] > 500, $info['entries'] > 100, $memory->get('key 1999')[99]);
var_dump($info['entries'] === count($memory->entries(limit: 5000)['entries']));

$largest = $info['largest'];
var_dump($memory->set(str_repeat('k', 1024), str_repeat('w', $largest)));
$memory->delete(str_repeat('k', 1024));
var_dump($memory->set('large', str_repeat('x', $largest)), strlen($memory->get('large')) === $largest);
var_dump($memory->set('large', str_repeat('y', $largest + 1)));
var_dump($memory->get('large')[0], $memory->info()['refusedLarge']);

/* What will not be stored evicts nobody. */
$before = $memory->info()['evictions'];
for ($i = 0; $i < 200; $i++) {
    $memory->add('large', str_repeat('z', $largest));
    $memory->replace('missing', str_repeat('z', $largest));
    $memory->cas('large', str_repeat('z', $largest), 1);
}
var_dump($memory->info()['evictions'] - $before);
var_dump($memory->setMultiple(['one' => 1, 'large' => str_repeat('y', $largest + 1)]));
?>
--EXPECT--
int(0)
bool(true)
bool(true)
string(10) "value 1999"
bool(true)
enum(Larder\Outcome::Done)
enum(Larder\Outcome::Done)
bool(true)
enum(Larder\Outcome::Refused)
string(1) "x"
int(1)
int(0)
array(2) {
  ["one"]=>
  enum(Larder\Outcome::Done)
  ["large"]=>
  enum(Larder\Outcome::Refused)
}
