--TEST--
pipeline: calls of all kinds in one round trip
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$servers = [MemcachedServer::unix(), MemcachedServer::unix()];
$cache = new Larder\Memcached(array_column($servers, 'address'), prefix: 'p:', shared: false, timeout: 5000);
$pipeline = $cache->pipeline();
var_dump($pipeline->count(), $pipeline->run());
$cache->setMultiple(['text' => 'middle', 'number' => 5, 'gone' => 1, 'kept' => 'v']);
$version = $cache->read('kept')->version;
$lease = $cache->getOrLease('leased')->lease;
$other = $cache->getOrLease('returned')->lease;
var_dump($pipeline === $pipeline->read('kept'));
$pipeline->getAndTouch('kept', 100)
    ->has('kept')
    ->has('none')
    ->set('a', [1])
    ->add('a2', 2)
    ->add('kept', 3)
    ->replace('none', 4)
    ->cas('kept', 'w', $version)
    ->append('text', ' end')
        ->prepend('text', 'start ')
        ->delete('gone')
        ->delete('none')
        ->touch('number')
        ->increment('number', 2)
        ->decrement('none')
    ->increment('new', 1, 10)
        ->set('leased', 'made', lease: $lease)
        ->release('returned', $other)
        ->set('lost', 1, lease: 12345)
        ->lease('a3')
        ->getOrLease('a4')
        ->markStale('number')
    ->read('none')->set('zero', 1, 0);
var_dump(count($pipeline->run()) === 25, $pipeline->count());
$show = fn(mixed $result) => match (true) {
    $result instanceof Larder\Outcome => $result->name,
    $result instanceof Larder\Answer => [$result->hit, $result->value, $result->lease !== null, $result->answered],
    default => $result,
};
$cache->setMultiple(['text' => 'middle', 'number' => 5, 'kept' => 'v']);
foreach ($pipeline->read('text')->append(
    'text',
    ' end',
)->has('text')->has('none')->increment('number', 2)->decrement('none')->increment('new2', 1, 10)->add('text', 1)
    ->replace('none', 1)
        ->cas('text', 1, 1)
        ->delete('none')
        ->touch('none')
        ->release('none', 12345)
        ->getOrLease('b4')
        ->getOrLease('b4')
        ->getOrLease('number')
        ->lease('b4')
        ->set('b6', 1, lease: 12345)
    ->markStale('none')->getAndTouch('number')->run() as $result) {
    echo json_encode($show($result)), "\n";
}
echo json_encode($cache->getMultiple(['text', 'number', 'new2', 'b6', 'leased', 'zero', 'a', 'lost'])), "\n";
[$there, $missing, $leased, $read] = $pipeline->version('kept')->version('none')->version('b4')->read('kept')->run();
var_dump(
    [$there->hit, $there->value, $there->version === $read->version],
    [$missing->hit, $missing->version, $missing->answered],
    $leased->hit,
);
$before = array_sum(array_column($cache->info(), 'batches'));
for ($number = 0; $number < 500; $number++) {
    $pipeline->set("n$number", $number)->read("n$number");
}
$results = $pipeline->run();
var_dump(
    $pipeline->count(),
    count($results),
    $results[999]->value,
    array_sum(array_column($cache->info(), 'batches')) - $before <= 4,
);
?>
--EXPECT--
int(0)
array(0) {
}
bool(true)
bool(true)
int(0)
[true,"middle",false,true]
"Done"
true
false
7
"NotFound"
10
"Exists"
"NotFound"
"Exists"
"NotFound"
"NotFound"
false
[false,null,true,true]
[false,null,false,true]
[true,7,false,true]
null
"Exists"
"NotFound"
[true,7,false,true]
{"text":"middle end","number":7,"new2":10,"leased":"made","a":[1]}
array(3) {
  [0]=>
  bool(true)
  [1]=>
  NULL
  [2]=>
  bool(true)
}
array(3) {
  [0]=>
  bool(false)
  [1]=>
  int(0)
  [2]=>
  bool(true)
}
bool(false)
int(0)
int(1000)
int(499)
bool(true)
