--TEST--
set: a ttl runs by the real clock, within one request too
--EXTENSIONS--
larder
--FILE--
<?php
$memory = new Larder\SharedMemory();
$memory->set('short', 1, 0.1);
$before = microtime(true);
$memory->set('long', 2, 60);
$after = microtime(true);
$memory->set('for ever', 3, INF);
$memory->set('as good as', 4, 1e18);
echo json_encode($memory->getMultiple(['short', 'long', 'for ever', 'as good as'])), "\n";
usleep(150000);
echo json_encode($memory->getMultiple(['short', 'long', 'for ever', 'as good as'])), "\n";
var_dump($memory->add('short', 5));

$expires = array_column($memory->entries()['entries'], 'expires', 'key');
/* Times are kept to some milliseconds. */
$is_due = $expires['long'] > $before + 59.99 && $expires['long'] < $after + 60.01;
var_dump($is_due, $expires['for ever'], $expires['as good as']);

foreach ([0, -1, -INF] as $over) {
    $memory->set('key', 1);
    var_dump($memory->set('key', 2, $over), $memory->has('key'));
}
var_dump($memory->set('never there', 1, 0));
?>
--EXPECT--
{"short":1,"long":2,"for ever":3,"as good as":4}
{"long":2,"for ever":3,"as good as":4}
enum(Larder\Outcome::Done)
bool(true)
NULL
NULL
enum(Larder\Outcome::Done)
bool(false)
enum(Larder\Outcome::Done)
bool(false)
enum(Larder\Outcome::Done)
bool(false)
enum(Larder\Outcome::Done)
