--TEST--
Complaint 13: getMultiple gives an array whatever happens, in the order asked for, with each key once
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
$pools = [
    'one server' => [$server->address],
    'one of two is dead' => [$server->address, MemcachedServer::nobody()],
    'all are dead' => [MemcachedServer::nobody()],
];
foreach ($pools as $pool => $servers) {
    foreach ([true, false] as $shared) {
        $cache = new Larder\Memcached($servers, shared: $shared, retry: 60000, timeout: 5000);
        $keys = array_map(fn($number) => "key$number", range(1, 30));
        $outcomes = $cache->setMultiple(array_fill_keys($keys, null));
        $done = array_keys($outcomes, Larder\Outcome::Done, true);
        $asked = ['none', ...array_reverse($keys), ...$keys, "a\nb", 'none', $keys[0]];
        $found = $cache->getMultiple($asked);
        $answers = $cache->readMultiple($asked);
        $checks = [
            'getMultiple() has each stored key once, in the order asked for'
                => array_keys($found) === array_reverse($done),
            'each value is null, as it was stored' => array_filter($found, fn($value) => $value !== null) === [],
            'readMultiple() has each key once, in the order asked for'
                => array_keys($answers) === ['none', ...array_reverse($keys), "a\nb"],
            'each stored key is a hit' => count(array_filter($answers, fn($answer) => $answer->hit)) === count($done),
            'no keys give an empty array' => $cache->getMultiple([]) === [],
            'deleteMultiple() gives outcomes' => $cache->deleteMultiple(['key1', 'key1']) !== [],
        ];
        echo $pool, $shared ? ', shared: ' : ', not shared: ';
        echo implode('; ', array_map(fn($check) => "not so: $check", array_keys($checks, false, true)))
            ?: 'all ' . count($checks) . ' checks hold';
        echo "\n";
    }
}
?>
--EXPECT--
one server, shared: all 6 checks hold
one server, not shared: all 6 checks hold
one of two is dead, shared: all 6 checks hold
one of two is dead, not shared: all 6 checks hold
all are dead, shared: all 6 checks hold
all are dead, not shared: all 6 checks hold
