--TEST--
Values: FastLZ blocks of both levels are read, with no other extension there
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/values.inc';
require __DIR__ . '/raw.inc';

$server = MemcachedServer::unix();
$raw = new Raw($server);
$cache = new Larder\Memcached($server->address, timeout: 5000);
foreach (require __DIR__ . '/fastlz.inc' as $name => [$flags, $bytes]) {
    $raw->set('key', $bytes, $flags);
    echo "$name: level ", (ord($bytes[4]) >> 5) + 1, ' ', $cache->get('key') === values()[$name]
        ? 'read'
        : 'not read', "\n";
}
?>
--EXPECT--
at 2000: level 1 read
words: level 1 read
above 64K: level 2 read
300K of one byte: level 2 read
array rows: level 1 read
