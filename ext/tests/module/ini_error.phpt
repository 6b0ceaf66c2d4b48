--TEST--
A setting that means nothing is named in a warning, and its default holds
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/process.inc';

foreach ([
    ['larder.share', 'yes'],
    ['larder.protect', 'none'],
    ['larder.base', '0x123'],
    ['larder.name', 'a/b'],
    ['larder.size', '-1'],
    ['larder.size', '64MB'],
    ['larder.size', 'many'],
    ['larder.size', '99999999999999999999G'],
    ['larder.shards', '3'],
    ['larder.shards', '128'],
    ['larder.slots', '999999'],
    ['larder.slots', '-1'],
    ['larder.lock_timeout', '1.5'],
    ['larder.memcached_value_max', '0'],
    ['larder.memcached_value_max', '2G'],
    ['larder.memcached_decode_timeout', ''],
] as [$name, $value]) {
    $said = run_php(
        'echo json_encode([ini_get("' . $name . '"), ($info = (new Larder\SharedMemory())->info())["private"],'
            . ' $info["size"]]);',
        [$name => $value],
    );
    echo str_replace([' in Unknown on line 0', 'Warning: PHP Startup: '], '', trim($said)), "\n";
}
?>
--EXPECT--
larder.share must be auto, 1 or 0, "yes" given; its default holds
["auto",false,67108864]
larder.protect must be empty, read or hide, "none" given; its default holds
["",false,67108864]
larder.base must be the address of a page, such as 0x3c0000000000, or 0, "0x123" given; its default holds
["0x3c0000000000",false,67108864]
larder.name must be 1 to 100 letters, digits, dots, dashes or underscores; this process and its children use a segment of their own
["a\/b",true,67108864]
larder.size must be bytes up to 16T, such as 64M, or 0 for none, "-1" given; its default holds
["64M",false,67108864]
larder.size must be bytes up to 16T, such as 64M, or 0 for none, "64MB" given; its default holds
["64M",false,67108864]
larder.size must be bytes up to 16T, such as 64M, or 0 for none, "many" given; its default holds
["64M",false,67108864]
larder.size must be bytes up to 16T, such as 64M, or 0 for none, "99999999999999999999G" given; its default holds
["64M",false,67108864]
larder.shards must be 0 (by size) or a power of two up to 64, "3" given; its default holds
["0",false,67108864]
larder.shards must be 0 (by size) or a power of two up to 64, "128" given; its default holds
["0",false,67108864]
larder.slots must be a number of processes from 1 to 65536, or 0 for 1024, "999999" given; its default holds
["0",false,67108864]
larder.slots must be a number of processes from 1 to 65536, or 0 for 1024, "-1" given; its default holds
["0",false,67108864]
larder.lock_timeout must be milliseconds from 1 to 60000, or 0 for 100, "1.5" given; its default holds
["100",false,67108864]
larder.memcached_value_max must be bytes from 1 to 1G, such as 64M, "0" given; its default holds
["64M",false,67108864]
larder.memcached_value_max must be bytes from 1 to 1G, such as 64M, "2G" given; its default holds
["64M",false,67108864]
larder.memcached_decode_timeout must be milliseconds from 1 to 3600000, "" given; its default holds
["1000",false,67108864]
