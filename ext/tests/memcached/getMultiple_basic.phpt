--TEST--
Many keys: in the order asked for, each once, on one server and on three
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$one = [MemcachedServer::unix()];
$three = [MemcachedServer::unix(), MemcachedServer::tcp(), MemcachedServer::unix()];
foreach ([$one, $three] as $servers) {
    $prefix = count($servers) > 1 ? 'p:' : '';
    $cache = new Larder\Memcached(array_column($servers, 'address'), prefix: $prefix, timeout: 5000);
    $names = fn(array $outcomes) => json_encode(array_map(fn($outcome) => $outcome->name, $outcomes)) . "\n";
    $calls = ['get', 'set', 'delete', 'touch', 'read', 'increment', 'append'];
    echo json_encode(array_map(fn($call) => $cache->{"{$call}Multiple"}([]), $calls)), "\n";
    echo $names($cache->setMultiple(['a' => 1, 'b' => null, 7 => 'int', '07' => 'string', "c\n" => [1]]));
    echo json_encode($cache->getMultiple(['07', 'none', 'b', '7', "c\n", 'a'])), "\n";
    echo json_encode($cache->getMultiple(['a', 'a', 7, '7', 'none', 'none'])), "\n";
    $reference = 'a';
    echo json_encode($cache->getMultiple([&$reference])), "\n";
    $answers = $cache->readMultiple(['none', 'a', 'b', 'a']);
    $parts = fn($answer) => [$answer->hit, $answer->value, $answer->answered];
    echo json_encode(array_map($parts, $answers)), "\n";
    echo $names($cache->touchMultiple(['a', 'none', 'a'], 100));
    echo $names($cache->deleteMultiple(['b', 'none', '7', 'b']));
    echo json_encode($cache->getMultiple(['a', 'b', '7'])), "\n";
    $values = [];
    for ($number = 0; $number < 500; $number++) {
        $values["key$number"] = ['number' => $number, 'text' => str_repeat('x', $number)];
    }
    $done = $cache->setMultiple($values);
    $keys = array_keys($values);
    shuffle($keys);
    $got = $cache->getMultiple($keys);
    var_dump(array_keys($done) === array_keys($values), array_keys($got) === $keys, $got == $values);
    var_dump(array_filter($servers, fn($server) => $server->stat('curr_items') < 100));
}
?>
--EXPECT--
[[],[],[],[],[],[],[]]
{"a":"Done","b":"Done","7":"Done","07":"Done","c\n":"Done"}
{"07":"string","b":null,"7":"int","c\n":[1],"a":1}
{"a":1,"7":"int"}
{"a":1}
{"none":[false,null,true],"a":[true,1,true],"b":[true,null,true]}
{"a":"Done","none":"NotFound"}
{"b":"Done","none":"NotFound","7":"Done"}
{"a":1}
bool(true)
bool(true)
bool(true)
array(0) {
}
[[],[],[],[],[],[],[]]
{"a":"Done","b":"Done","7":"Done","07":"Done","c\n":"Done"}
{"07":"string","b":null,"7":"int","c\n":[1],"a":1}
{"a":1,"7":"int"}
{"a":1}
{"none":[false,null,true],"a":[true,1,true],"b":[true,null,true]}
{"a":"Done","none":"NotFound"}
{"b":"Done","none":"NotFound","7":"Done"}
{"a":1}
bool(true)
bool(true)
bool(true)
array(0) {
}
