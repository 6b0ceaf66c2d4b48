--TEST--
OverLimit: what a value inflates to is bounded by the setting, by memory_limit and by time, in every form
--EXTENSIONS--
larder
zlib
--SKIPIF--
<?php
if (getenv('SKIP_ASAN')) {
    echo "skip needs PHP's own allocator, for its memory_limit";
}
?>
--INI--
memory_limit=128M
--FILE--
<?php
require __DIR__ . '/server.inc';
require __DIR__ . '/../codec/raw.inc';

$server = MemcachedServer::unix('-m', '512');
$raw = new Raw($server);
$cache = new Larder\Memcached($server->address, timeout: 20000);

/** What the value with these bytes and flags comes to. */
function ask(string $what, string $bytes, int $flags): void
{
    global $raw, $cache;
    $raw->set('bomb', $bytes, $flags);
    memory_reset_peak_usage();
    $before = memory_get_usage(true);
    $value = $cache->get('bomb', 'none');
    $took = memory_get_peak_usage(true) - $before;
    $failure = $cache->failures()[0] ?? null;
    printf(
        "%-22s %-10s %-10s %-9s %-9s %s\n",
        $what,
        is_string($value) ? strlen($value) : get_debug_type($value),
        $failure?->kind->name,
        $failure?->size,
        $failure?->limit,
        $took <= (100 << 20) ? '' : "took $took",
    );
}

$length = fn(int $size): string => pack('V', $size);
$fifty = gzcompress(str_repeat("\0", 50 << 20), 9);
/* A block of lz4 or fastlz whose every byte stands for as many as it can: one literal, then one long match. */
$lz4 = fn(int $size): string => "\x1fx\x01\x00" . str_repeat("\xff", intdiv($size - 25, 255))
    . chr(($size - 25) % 255) . "\x50xxxxx";
$fastlz = "\x20x" . str_repeat("\xe0\xff\x00\x00", 4000);

ini_set('larder.memcached_decode_timeout', '60000');
foreach (['64M', '1M'] as $most) {
    echo "-- $most\n";
    ini_set('larder.memcached_value_max', $most);
    ask('zlib, with a length', $length(50 << 20) . $fifty, 0x30);
    ask('zlib, a wrong length', $length(1000) . $fifty, 0x30);
    ask('zlib, a false length', $length(1 << 30) . $fifty, 0x30);
    ask('zlib, without one', $fifty, 0x02);
    ask('lz4', $length(20 << 20) . $lz4(20 << 20), 0x110);
    ask('lz4, a false length', $length(1 << 30) . $lz4(20 << 20), 0x110);
    ask('fastlz', $length(1 + 4000 * 264) . $fastlz, 0x50);
    ask('fastlz, a false length', $length(900 << 20) . $fastlz, 0x50);
}
ini_set('larder.memcached_value_max', '1G');
echo "-- 1G, of which memory_limit leaves less\n";
$deflate = deflate_init(ZLIB_ENCODING_DEFLATE);
$hundred = '';
for ($i = 0; $i < 100; $i++) {
    $hundred .= deflate_add($deflate, str_repeat("\0", 1 << 20), ZLIB_NO_FLUSH);
}
$hundred .= deflate_add($deflate, '', ZLIB_FINISH);
$held = str_repeat('x', 60 << 20);
ask('zlib, with a length', $length(100 << 20) . $hundred, 0x30);
ask('zlib, without one', $hundred, 0x02);
ask('lz4', $length(100 << 20) . $lz4(100 << 20), 0x110);
ask('small', $length(1000) . gzcompress(str_repeat('x', 1000)), 0x30);
unset($held);

echo "-- in the time of one call\n";
ini_set('larder.memcached_decode_timeout', '1');
$raw->set('slow', $length(10 << 20) . gzcompress(str_repeat('slow', 10 << 18), 9), 0x30);
$values = $cache->getMultiple(array_fill(0, 50, 'slow'));
$kinds = array_count_values(array_map(fn($failure) => $failure->kind->name, $cache->failures()));
var_dump(count($values) <= 1, array_keys($kinds), $kinds['OverLimit'] >= 48);
echo preg_replace('/^.*?has/', 'has', $cache->failures()[0]->message), "\n";
ini_set('larder.memcached_decode_timeout', '60000');
var_dump(strlen($cache->get('slow')), $cache->failures());
?>
--EXPECTF--
-- 64M
zlib, with a length    52428800                                  
zlib, a wrong length   4          Unreadable                     
zlib, a false length   4          Unreadable                     
zlib, without one      52428800                                  
lz4                    20971520                                  
lz4, a false length    4          Unreadable                     
fastlz                 1056001                                   
fastlz, a false length 4          Unreadable                     
-- 1M
zlib, with a length    4          OverLimit  52428800  1048576   
zlib, a wrong length   4          Unreadable                     
zlib, a false length   4          Unreadable                     
zlib, without one      4          OverLimit  1048577   1048576   
lz4                    4          OverLimit  20971520  1048576   
lz4, a false length    4          Unreadable                     
fastlz                 4          OverLimit  1056001   1048576   
fastlz, a false length 4          Unreadable                     
-- 1G, of which memory_limit leaves less
zlib, with a length    4          OverLimit  104857600           
zlib, without one      4          OverLimit  %d            
lz4                    4          OverLimit  104857600           
small                  1000                                      
-- in the time of one call
bool(true)
array(1) {
  [0]=>
  string(9) "OverLimit"
}
bool(true)
has a value that was not decoded, for the 1 ms of larder.memcached_decode_timeout were over: ask for fewer or smaller ones, or raise it
int(10485760)
array(0) {
}
