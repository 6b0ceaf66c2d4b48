--TEST--
Complaint 13: getMultiple gives an array whatever happens, in the order asked for, with each key once
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
foreach ([[$server->address], [$server->address, MemcachedServer::nobody()], [MemcachedServer::nobody()]] as $servers) {
    foreach ([true, false] as $shared) {
        $cache = new Larder\Memcached($servers, shared: $shared, retry: 60000);
        $keys = array_map(fn($number) => "key$number", range(1, 30));
        $done = array_keys(array_filter($cache->setMultiple(array_fill_keys($keys, null)), fn($outcome) => $outcome === Larder\Outcome::Done));
        $asked = ['none', ...array_reverse($keys), ...$keys, "a\nb", 'none', $keys[0]];
        $found = $cache->getMultiple($asked);
        $answers = $cache->readMultiple($asked);
        var_dump(array_keys($found) === array_reverse($done), array_filter($found, fn($value) => $value !== null) === [], array_keys($answers) === ['none', ...array_reverse($keys), "a\nb"]);
        var_dump(count(array_filter($answers, fn($answer) => $answer->hit)) === count($done), $cache->getMultiple([]), $cache->deleteMultiple(['key1', 'key1']) !== []);
    }
}
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
array(0) {
}
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
array(0) {
}
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
array(0) {
}
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
array(0) {
}
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
array(0) {
}
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
array(0) {
}
bool(true)
