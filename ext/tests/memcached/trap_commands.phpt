--TEST--
Complaint 3: all calls go by meta commands, but for the classic get of many keys; never by the binary protocol
--EXTENSIONS--
larder
posix
--FILE--
<?php
require __DIR__ . '/server.inc';
require __DIR__ . '/peer.inc';

$path = (string) tempnam(sys_get_temp_dir(), 'larder');
$peer = new Peer(function (Wire $wire) use ($path): void {
    while (($line = $wire->request()) !== null) {
        file_put_contents($path, explode(' ', $line)[0] . ' ', FILE_APPEND);
        $wire->say(Wire::answer(['k' => '1', 'l' => '1'], $line));
    }
});
foreach ([true, false] as $shared) {
    $cache = new Larder\Memcached($peer->address, timeout: 2000, shared: $shared);
    foreach ([
        'get' => fn() => $cache->get('k'),
        'getMultiple' => fn() => $cache->getMultiple(['k', 'l', 'none']),
        'read' => fn() => $cache->read('k'),
        'set' => fn() => $cache->set('k', 1),
        'add' => fn() => $cache->add('none', 1),
        'cas' => fn() => $cache->cas('k', 1, 1),
        'delete' => fn() => $cache->delete('k'),
        'increment' => fn() => $cache->increment('k'),
        'touch' => fn() => $cache->touch('k'),
        'setMultiple' => fn() => $cache->setMultiple(['k' => 1, 'l' => 1]),
        'deleteMultiple' => fn() => $cache->deleteMultiple(['k', 'l']),
    ] as $name => $call) {
        file_put_contents($path, '');
        $call();
        $words = array_unique(explode(' ', trim((string) file_get_contents($path))));
        sort($words);
        echo $shared
            ? ''
            : 'not shared, ', $name, ': ', implode(' ', $words), $cache->failures() === [] ? '' : ' failed', "\n";
    }
    $cache->close();
}
unlink($path);
?>
--EXPECT--
get: mg
getMultiple: get mg
read: mg
set: ms
add: ms
cas: ms
delete: md
increment: ma
touch: mg
setMultiple: mg ms
deleteMultiple: md mg
not shared, get: mg
not shared, getMultiple: get mg
not shared, read: mg
not shared, set: ms
not shared, add: ms
not shared, cas: ms
not shared, delete: mg
not shared, increment: ma
not shared, touch: mg
not shared, setMultiple: mg ms
not shared, deleteMultiple: mg
