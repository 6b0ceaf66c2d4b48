--TEST--
ttl: null is without end, 0 or less removes, else seconds rounded up; what is longer than ten years is an error
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
$cache = new Larder\Memcached($server->address, timeout: 5000);
$left = fn(string $key): string => preg_match('/ t(-?\d+)/', $server->ask("mg $key t"), $match) === 1
    ? $match[1]
    : 'gone';
foreach ([null, 0.5, 1.0, 99.2, 86400.0 * 30, 86400.0 * 31, 86400 * 365.0 * 5, 86400 * 365.0 * 10] as $ttl) {
    $cache->set('key', 1, $ttl);
    $seconds = $left('key');
    echo $ttl ?? 'null', ': ', $ttl !== null && abs($seconds - ceil($ttl)) <= 2 ? 'as given' : $seconds, "\n";
}
foreach ([0, -0.0, -1, -INF] as $ttl) {
    $cache->setMultiple(array_fill_keys(['set', 'replace', 'cas', 'touch', 'got', 'many'], 1));
    $version = $cache->read('cas')->version;
    echo json_encode([
        $cache->set('set', 2, $ttl)->name,
        $cache->add('set', 2, $ttl)->name,
        $cache->replace('replace', 2, $ttl)->name,
        $cache->cas('cas', 2, $version + 1000, $ttl)->name,
        $cache->cas('cas', 2, $version, $ttl)->name,
        $cache->touch('touch', $ttl)->name,
        $cache->getAndTouch('got', $ttl)->hit,
        $cache->setMultiple(['many' => 2], $ttl)['many']->name,
        $cache->touch('none', $ttl)->name,
        $cache->replace('none', 1, $ttl)->name,
        $cache->getMultiple(['set', 'replace', 'cas', 'touch', 'got', 'many', 'none']),
    ]), "\n";
}
foreach ([
    fn() => $cache->set('key', 2, 1795329560),
    fn() => $cache->set('key', 2, 315360000.5),
    fn() => $cache->setMultiple(['key' => 2], INF),
    fn() => $cache->casMultiple(['key' => 2], ['key' => 1], 1e15),
    fn() => $cache->touch('key', time()),
    fn() => $cache->increment('key', 1, 1, 999999999),
    fn() => $cache->markStale('key', 9999999999),
    fn() => $cache->pipeline()->add('key', 2, 1e9),
] as $call) {
    try {
        $call();
        echo "taken\n";
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
}
$cache->set('key', 1, 50);
$cache->touch('key', 100);
echo $left('key') > 90 ? 'longer' : 'not', "\n";
$cache->touch('key');
echo $left('key'), "\n";
$cache->set('key', 5, 50);
$cache->increment('key', 1, 1, 500);
echo $left('key') <= 50 ? 'kept' : 'not', "\n";
$cache->increment('counter', 1, 1, 50);
echo $left('counter') <= 50 && $left('counter') > 45 ? 'given' : 'not', "\n";
?>
--EXPECTF--
null: -1
0.5: as given
1: as given
99.2: as given
2592000: as given
2678400: as given
157680000: as given
315360000: as given
["Done","Done","Done","Exists","Done","Done",true,"Done","NotFound","NotFound",[]]
["Done","Done","Done","Exists","Done","Done",true,"Done","NotFound","NotFound",[]]
["Done","Done","Done","Exists","Done","Done",true,"Done","NotFound","NotFound",[]]
["Done","Done","Done","Exists","Done","Done",true,"Done","NotFound","NotFound",[]]
Larder\Memcached::set(): Argument #3 ($ttl) must be in seconds from now on, at most 315360000 (10 years), or null for no end; 1795329560 looks like a Unix time: subtract time() from it
Larder\Memcached::set(): Argument #3 ($ttl) must be at most 315360000 seconds (10 years) from now on, or null for no end
Larder\Memcached::setMultiple(): Argument #2 ($ttl) must be at most 315360000 seconds (10 years) from now on, or null for no end
Larder\Memcached::casMultiple(): Argument #3 ($ttl) must be at most 315360000 seconds (10 years) from now on, or null for no end
Larder\Memcached::touch(): Argument #2 ($ttl) must be in seconds from now on, at most 315360000 (10 years), or null for no end; %d looks like a Unix time: subtract time() from it
Larder\Memcached::increment(): Argument #4 ($ttl) must be at most 315360000 seconds (10 years) from now on, or null for no end
Larder\Memcached::markStale(): Argument #2 ($ttl) must be in seconds from now on, at most 315360000 (10 years), or null for no end; 9999999999 looks like a Unix time: subtract time() from it
Larder\Pipeline::add(): Argument #3 ($ttl) must be in seconds from now on, at most 315360000 (10 years), or null for no end; 1000000000 looks like a Unix time: subtract time() from it
longer
-1
kept
given
