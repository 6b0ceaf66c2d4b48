--TEST--
get: a stored nothing is no miss, with leases and without
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
foreach ([true, false] as $shared) {
    $cache = new Larder\Memcached($server->address, shared: $shared, timeout: 5000);
    foreach ([null, false, 0, 0.0, '', '0', []] as $nothing) {
        $cache->set('key', $nothing);
        $seen = [
            $cache->get('key', 'missed') === $nothing,
            $cache->has('key'),
            $cache->read('key')->hit,
            $cache->getMultiple(['key', 'missing']) === ['key' => $nothing],
            $cache->getMultiple(['missing', 'key', 'none']) === ['key' => $nothing],
            $cache->add('key', 1) === Larder\Outcome::Exists,
            $shared || $cache->getOrLease('key')->hit,
            $cache->touch('key') === Larder\Outcome::Done,
            $cache->replace('key', $nothing) === Larder\Outcome::Done,
            $cache->getAndTouch('key')->hit,
            $cache->delete('key') === Larder\Outcome::Done,
            $cache->get('key', 'missed') === 'missed',
        ];
        echo json_encode($nothing), in_array(false, $seen, true)
            ? ' is taken for a miss: ' . json_encode($seen)
            : ' is there', "\n";
    }
}
?>
--EXPECT--
null is there
false is there
0 is there
0 is there
"" is there
"0" is there
[] is there
null is there
false is there
0 is there
0 is there
"" is there
"0" is there
[] is there
