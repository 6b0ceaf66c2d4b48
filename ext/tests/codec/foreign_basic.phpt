--TEST--
Values: the flags of both layouts are told apart by the bytes, whatever layout is configured
--EXTENSIONS--
larder
igbinary
msgpack
--FILE--
<?php
require __DIR__ . '/values.inc';
require __DIR__ . '/raw.inc';

$server = MemcachedServer::unix();
$raw = new Raw($server);
$items = [
    /* The same flags from either client. */
    ['42', 1],
    ['-42', 1],
    ['9 ', 1],
    ['i:42;', 1],
    ['b:0;', 1],
    ['a:1:{i:0;i:7;}', 1],
    ['.5', 2],
    ['1e+25', 2],
    [gzcompress('text'), 2],
    ['1', 3],
    ['', 3],
    [gzcompress('a:1:{i:0;N;}'), 3],
    /* Of one alone. */
    ['1', 0x100],
    ['0', 0x100],
    ['7', 0x300],
    ['0.33333333333333', 0x700],
    ['1.0e+25', 0x700],
    ['INF', 0x700],
    ['N;', 4],
    ['[1,{"a":2}]', 6],
    /* The user's own bits. */
    ['text', 0x80000], ['42', 0x12340001], ['N;', 0xffff0004],
    /* As the server leaves them. */
    ['9 ', 0], ['18446744073709551614', 1], ['18446744073709551615 ', 0x300], ['99999999999999999999', 1], ['', 0],
    /* Of nobody, or damaged: misses. */
    ['text', 8],
    ['text', 0x20],
    ['text', 0x200],
    ['text', 0x10],
    ['text', 0x70],
    ['text', 0x4000],
    ['', 1],
    ['seven', 1],
    ['seven', 2],
    ['x', 2],
    ['a:1:{', 4],
    ['a:0:{}more', 4],
    ["\0\0\0\2", 5],
    ['', 5],
    ['', 7],
    ['{', 6],
    ["\xff\xff\xff\x7f" . gzcompress('text'), 0x30],
    ["\4\0\0\0" . gzcompress('text!'), 0x30],
    ["\0\0\0\0", 0x30], ['abc', 0x30],
];
set_error_handler(static fn(int $number, string $words) => throw new ErrorException($words));
foreach (['memcached', 'memcache'] as $layout) {
    $cache = new Larder\Memcached($server->address, layout: $layout, timeout: 5000);
    $lines = [];
    foreach ($items as [$bytes, $flags]) {
        $raw->set('key', $bytes, $flags);
        $lines[] = sprintf(
            "%-26s %8x  %s\n",
            substr(addcslashes($bytes, "\0..\37\177..\377"), 0, 26),
            $flags,
            shown($cache->get('key', 'a miss')),
        );
    }
    $first ??= $lines;
    echo $lines === $first ? '' : "not the same in $layout\n";
}
echo implode($first);
?>
--EXPECT--
42                                1  i:42;
-42                               1  i:-42;
9                                 1  i:9;
i:42;                             1  i:42;
b:0;                              1  b:0;
a:1:{i:0;i:7;}                    1  a:1:{i:0;i:7;}
.5                                2  d:0.5;
1e+25                             2  d:1.0E+25;
x\234+I\255(\001\000\004g\        2  s:4:"text";
1                                 3  b:1;
                                  3  b:0;
x\234K\2642\264\252\316\26        3  a:1:{i:0;N;}
1                               100  b:1;
0                               100  b:0;
7                               300  i:7;
0.33333333333333                700  d:0.33333333333333;
1.0e+25                         700  d:1.0E+25;
INF                             700  d:INF;
N;                                4  N;
[1,{"a":2}]                       6  a:2:{i:0;i:1;i:1;a:1:{s:1:"a";i:2;}}
text                          80000  s:4:"text";
42                         12340001  i:42;
N;                         ffff0004  N;
9                                 0  s:2:"9 ";
18446744073709551614              1  i:-2;
18446744073709551615            300  i:-1;
99999999999999999999              1  i:9223372036854775807;
                                  0  s:0:"";
text                              8  s:6:"a miss";
text                             20  s:6:"a miss";
text                            200  s:6:"a miss";
text                             10  s:6:"a miss";
text                             70  s:6:"a miss";
text                           4000  s:6:"a miss";
                                  1  s:6:"a miss";
seven                             1  s:6:"a miss";
seven                             2  s:6:"a miss";
x                                 2  s:6:"a miss";
a:1:{                             4  s:6:"a miss";
a:0:{}more                        4  s:6:"a miss";
\000\000\000\002                  5  s:6:"a miss";
                                  5  s:6:"a miss";
                                  7  s:6:"a miss";
{                                 6  s:6:"a miss";
\377\377\377\177x\234+I\25       30  s:6:"a miss";
\004\000\000\000x\234+I\25       30  s:6:"a miss";
\000\000\000\000                 30  s:6:"a miss";
abc                              30  s:6:"a miss";
