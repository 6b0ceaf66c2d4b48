--TEST--
Complaint 2: every call for many keys sends all of them before it waits, and takes as many round trips as for one
--EXTENSIONS--
larder
posix
--FILE--
<?php
require __DIR__ . '/server.inc';
require __DIR__ . '/peer.inc';

/* Says nothing until all fifty keys were asked for. */
$peer = new Peer(function (Wire $wire): void {
    for ($held = '', $asked = 0; ($line = $wire->request()) !== null;) {
        $items = array_fill_keys(array_map(fn($number) => "k$number", range(1, 50)), '1');
        $asked += (int) preg_match_all('/ k\d+/', $line);
        $held .= str_replace(
            'O*',
            'O' . ($wire->opaques[count($wire->opaques) - 1] ?? ''),
            Wire::answer($items, $line),
        );
        if ($asked % 50 === 0) {
            $wire->say($held);
            $held = '';
        }
    }
});
$cache = new Larder\Memcached($peer->address, timeout: 10_000);
$keys = array_map(fn($number) => "k$number", range(1, 50));
$values = array_fill_keys($keys, str_repeat('x', 300));
$pipeline = function () use ($cache, $keys) {
    $pipeline = $cache->pipeline();
    foreach (array_chunk($keys, 4) as $four) {
        $pipeline->read($four[0])->set($four[1], 'v');
        isset($four[3]) ? $pipeline->delete($four[2])->increment($four[3]) : null;
    }
    return $pipeline->run();
};
foreach ([
    'getMultiple' => fn() => $cache->getMultiple($keys),
    'readMultiple' => fn() => $cache->readMultiple($keys),
    'setMultiple' => fn() => $cache->setMultiple($values),
    'casMultiple' => fn() => $cache->casMultiple($values, array_fill_keys($keys, 1)),
    'appendMultiple' => fn() => $cache->appendMultiple(array_fill_keys($keys, 'x')),
    'touchMultiple' => fn() => $cache->touchMultiple($keys, 100),
    'deleteMultiple' => fn() => $cache->deleteMultiple($keys),
    'incrementMultiple' => fn() => $cache->incrementMultiple($keys),
    'decrementMultiple' => fn() => $cache->decrementMultiple($keys),
    'pipeline' => $pipeline,
] as $name => $call) {
    $before = $cache->info()[$peer->address];
    $result = $call();
    $after = $cache->info()[$peer->address];
    echo $name, ': ', count($result), ' in ', $after['batches'] - $before['batches'], "\n";
    foreach ($cache->failures() as $failure) {
        echo '  ', $failure->message, "\n";
    }
}
?>
--EXPECT--
getMultiple: 50 in 1
readMultiple: 50 in 1
setMultiple: 50 in 1
casMultiple: 50 in 1
appendMultiple: 50 in 2
touchMultiple: 50 in 1
deleteMultiple: 50 in 1
incrementMultiple: 50 in 1
decrementMultiple: 50 in 1
pipeline: 50 in 1
