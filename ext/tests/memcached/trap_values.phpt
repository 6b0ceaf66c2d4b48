--TEST--
Values that look like replies, or have line ends, come back byte for byte; a miss makes no key, and is no zero
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

/* Faults 1, 2 and 4 of the client in source 003: lines joined, "END" taken for the end, a miss stored as 0. */
$server = MemcachedServer::unix();
$cache = new Larder\Memcached($server->address, timeout: 5000);
$values = [
    "a\r\nbc", "a\r\n", "\r\n", "\n", "\r", "END", "END\r\n", "\r\nEND\r\n", "EN\r\n", "EN O00000000\r\n",
    "HD\r\n", "MN\r\n", "VA 1 f0 O00000000\r\nx\r\n", "VALUE key1 0 1\r\nx\r\nEND\r\n", "ERROR\r\n",
    "SERVER_ERROR x\r\n", "\0", str_repeat("END\r\n", 20000), "mg key0 v\r\n", "quit\r\n", ' ', ' 7', '7 ', "7\r\n",
];
$pairs = [];
foreach ($values as $number => $value) {
    $pairs["key$number"] = $value;
}
foreach ([$pairs, array_reverse($pairs)] as $given) {
    $cache->setMultiple($given);
    var_dump(
        $cache->getMultiple(array_keys($given)) === $given,
        array_map($cache->get(...), array_keys($given)) === array_values($given),
    );
    $pipeline = $cache->pipeline();
    foreach ($given as $key => $value) {
        $pipeline->read($key)->set($key, $value)->read($key);
    }
    $answers = $pipeline->run();
    var_dump(array_map(
        fn($answer) => $answer->value,
        array_values(array_filter($answers, fn($answer) => $answer instanceof Larder\Answer)),
    )
        === array_merge(...array_map(fn($value) => [$value, $value], array_values($given))));
}
$items = $server->stat('curr_items');
foreach (['get', 'read', 'has', 'touch', 'delete', 'increment', 'decrement', 'getAndTouch'] as $call) {
    $cache->$call('not there');
}
$cache->getMultiple(['not there', 'nor this']);
var_dump($cache->get('not there', 'missed'), $server->stat('curr_items') - $items, $cache->failures());
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
string(6) "missed"
int(0)
array(0) {
}
