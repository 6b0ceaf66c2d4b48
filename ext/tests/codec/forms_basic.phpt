--TEST--
Values: bytes and flags of every kind of value, in both layouts
--EXTENSIONS--
larder
igbinary
msgpack
--FILE--
<?php
require __DIR__ . '/raw.inc';

$server = MemcachedServer::unix();
$raw = new Raw($server);

function show(Raw $raw, Larder\Memcached $cache, mixed $value): void
{
    $cache->set('key', $value);
    [$bytes, $flags] = $raw->get('key');
    $text = addcslashes($bytes, "\0..\37\177..\377");
    printf("%05x %s\n", $flags, strlen($text) > 90 ? substr($text, 0, 24) . '... ' . strlen($bytes) . ' bytes' : $text);
}

foreach (['memcached', 'memcache'] as $layout) {
    echo "$layout\n";
    $cache = new Larder\Memcached($server->address, layout: $layout, timeout: 5000);
    foreach ([
        7,
        -42,
        PHP_INT_MIN,
        7.0,
        -0.0,
        0.1 + 0.2,
        1e25,
        NAN,
        INF,
        -INF,
        true,
        false,
        null,
        '',
        'text',
        '7',
        [1, 'a' => null],
    ] as $value) {
        show($raw, $cache, $value);
    }
}
foreach (['igbinary', 'msgpack', 'json'] as $serializer) {
    echo "$serializer\n";
    $cache = new Larder\Memcached($server->address, serializer: $serializer, timeout: 5000);
    foreach ([[1, 'a' => 7.0], null, '7', 'text', 7, true] as $value) {
        show($raw, $cache, $value);
    }
}
foreach ([
    ['memcached', 'zlib'],
    ['memcached', 'zstd'],
    ['memcached', 'lz4'],
    ['memcache', 'zlib'],
] as [$layout, $compressor]) {
    echo "$compressor, $layout\n";
    $cache = new Larder\Memcached($server->address, layout: $layout, compressor: $compressor, timeout: 5000);
    foreach (['a' => 1999, 'b' => 2000] as $letter => $length) {
        show($raw, $cache, str_repeat($letter, $length));
    }
    show($raw, $cache, array_fill(0, 1000, true));
}
?>
--EXPECTF--
memcached
00001 7
00001 -42
00001 -9223372036854775808
00002 7.0
00002 -0.0
00002 0.30000000000000004
00002 1.0E+25
00002 NaN
00002 Infinity
00002 -Infinity
00003 1.
00003 
00004 N;
10000 
00000 text
00004 s:1:"7";
00004 a:2:{i:0;i:1;s:1:"a";N;}
memcache
00300 7
00300 -42
00300 -9223372036854775808
00700 7.0
00700 -0.0
00700 0.30000000000000004
00700 1.0E+25
00700 NaN
00700 Infinity
00700 -Infinity
00001 b:1;
00001 b:0;
00001 N;
10000 
00000 text
00001 s:1:"7";
00001 a:2:{i:0;i:1;s:1:"a";N;}
igbinary
00005 \000\000\000\002\024\002\006\000\006\001\021\001a\f@\034\000\000\000\000\000\000
00005 \000\000\000\002\000
00004 s:1:"7";
00000 text
00001 7
00003 1.
msgpack
00007 \202\000\001\241a\313@\034\000\000\000\000\000\000
00007 \300
00004 s:1:"7";
00000 text
00001 7
00003 1.
json
00006 {"0":1,"a":7.0}
00006 null
00004 s:1:"7";
00000 text
00001 7
00003 1.
zlib, memcached
00000 aaaaaaaaaaaaaaaaaaaaaaaa... 1999 bytes
00030 \320\a\000\000x^%s
00034 \253&\000\000x^%s
zstd, memcached
00000 aaaaaaaaaaaaaaaaaaaaaaaa... 1999 bytes
00090 \320\a\000\000(\265/\375%s
00094 \253&\000\000(\265/\375%s
lz4, memcached
00000 aaaaaaaaaaaaaaaaaaaaaaaa... 1999 bytes
00110 \320\a\000\000%s
00114 \253&\000\000%s
zlib, memcache
00000 aaaaaaaaaaaaaaaaaaaaaaaa... 1999 bytes
00002 x^%s
00003 x^%s
