--TEST--
Values: the server counts what was stored as an integer and nothing else
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/values.inc';
require __DIR__ . '/raw.inc';

$server = MemcachedServer::unix('-m', '128');
$raw = new Raw($server);

/* What the server takes for a number when it is stored as it is, and what not. */
foreach ([
    '7',
    '007',
    ' 7',
    "\t\n7",
    '+7',
    '7 ',
    '7 apples',
    "7\0x",
    "7\r",
    '-0',
    '7x',
    '7.0',
    '-5',
    '- 5',
    '+',
    '',
    'seven',
    '18446744073709551616',
] as $string) {
    $raw->set('raw', $string, 0);
    $counted = is_numeric($raw->increment('raw'));
    $cache = new Larder\Memcached($server->address, timeout: 5000, objects: true);
    $cache->set('ours', $string);
    echo json_encode($string), $counted
        ? ' is counted raw; '
        : ' is not; ', is_numeric($raw->increment('ours')) ? 'counted' : 'refused', ' as we write it', "\n";
}

/* Every value that is no integer of 0 or more, in every format. */
foreach (['memcached', 'memcache'] as $layout) {
    foreach (['none', 'zlib', ...($layout === 'memcached' ? ['zstd', 'lz4'] : [])] as $compressor) {
        $cache = new Larder\Memcached(
            $server->address,
            layout: $layout,
            compressor: $compressor,
            compressionThreshold: 1,
            timeout: 5000,
            objects: true,
        );
        $counted = [];
        foreach ([...values(), ...lengths()] as $name => $value) {
            $cache->set('key', $value);
            if (is_numeric($raw->increment('key')) !== (is_int($value) && $value >= 0)) {
                $counted[] = $name;
            }
        }
        echo "$layout $compressor: ", $counted === [] ? 'none but integers' : implode(', ', $counted), "\n";
    }
}

/** Their lengths look like digits and blanks, where they stand before compressed bytes. */
function lengths(): array
{
    return array_map(
        static fn(int $length): string => str_repeat('z', $length),
        ['7 ' => 0x2037, '9 NUL' => 0x0039, '5 tab' => 0x0935, '1 line' => 0x0a31],
    );
}
?>
--EXPECT--
"7" is counted raw; refused as we write it
"007" is counted raw; refused as we write it
" 7" is counted raw; refused as we write it
"\t\n7" is counted raw; refused as we write it
"+7" is counted raw; refused as we write it
"7 " is counted raw; refused as we write it
"7 apples" is counted raw; refused as we write it
"7\u0000x" is counted raw; refused as we write it
"7\r" is counted raw; refused as we write it
"-0" is counted raw; refused as we write it
"7x" is not; refused as we write it
"7.0" is not; refused as we write it
"-5" is not; refused as we write it
"- 5" is not; refused as we write it
"+" is not; refused as we write it
"" is not; refused as we write it
"seven" is not; refused as we write it
"18446744073709551616" is not; refused as we write it
memcached none: none but integers
memcached zlib: none but integers
memcached zstd: none but integers
memcached lz4: none but integers
memcache none: none but integers
memcache zlib: none but integers
