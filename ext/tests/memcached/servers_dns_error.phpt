--TEST--
servers by name: one that nobody knows is told, is a dead server, and holds others up no longer than its own time-out
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';
$server = MemcachedServer::tcp();
$cache = new Larder\Memcached(
    [$server->address, 'larder-test.invalid:11211'],
    timeout: 10000,
    dnsTimeout: 300,
    retry: 60000,
);
$keys = array_map(static fn(int $i): string => "key$i", range(1, 100));
$here = array_values(array_filter($keys, static fn(string $key): bool => $cache->serverOf($key) === $server->address));
var_dump(count($here) > 10, count($here) < 90);

$outcomes = $cache->setMultiple(array_fill_keys($keys, 'x'));
var_dump(
    array_keys(
        array_filter($outcomes, static fn(Larder\Outcome $outcome): bool => $outcome === Larder\Outcome::Done),
    ) === $here,
);
var_dump(
    count(
        array_filter($outcomes, static fn(Larder\Outcome $outcome): bool => $outcome === Larder\Outcome::Refused),
    ) === 100
        - count($here),
);
var_dump(
    array_map(
        static fn(Larder\Failure $failure): string => "{$failure->server} {$failure->kind->name}",
        $cache->failures(),
    ),
);

echo $cache->failures()[0]->message, "\n";

/* Nobody is asked for the name again: it would be Unresolved. */
$kinds = [];
for ($turn = 0; $turn < 50; $turn++) {
    $got = $cache->getMultiple($keys);
    $kinds[] = $cache->failures()[0]->kind->name;
}
var_dump(array_unique($kinds) === ['Down'], array_keys($got) === $here);
var_dump(
    array_map(
        static fn(Larder\Failure $failure): string => "{$failure->server} {$failure->kind->name}",
        $cache->failures(),
    ),
);
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
array(1) {
  [0]=>
  string(36) "larder-test.invalid:11211 Unresolved"
}
larder-test.invalid:11211 does not resolve: no address was found for its name within $dnsTimeout; see that the name is right and that DNS answers
bool(true)
bool(true)
array(1) {
  [0]=>
  string(30) "larder-test.invalid:11211 Down"
}
