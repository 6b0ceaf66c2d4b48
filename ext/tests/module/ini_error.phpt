--TEST--
A setting that means nothing is named in a warning, and its default holds
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/process.inc';

foreach ([
    'larder.share' => 'yes',
    'larder.protect' => 'none',
    'larder.base' => '0x123',
    'larder.name' => 'a/b',
] as $name => $value) {
    echo trim(
        run_php(
            'echo json_encode([ini_get("' . $name . '"), (new Larder\SharedMemory())->info()["private"]]);',
            [$name => $value],
        ),
    ), "\n";
}
?>
--EXPECTF--
Warning: PHP Startup: larder.share must be auto, 1 or 0 in Unknown on line 0
["auto",false]
Warning: PHP Startup: larder.protect must be empty, read or hide in Unknown on line 0
["",false]
Warning: PHP Startup: larder.base must be the address of a page, such as 0x3c0000000000, or 0 in Unknown on line 0
["0x3c0000000000",false]
Warning: PHP Startup: larder.name must be 1 to 100 letters, digits, dots, dashes or underscores; this process and its children use a segment of their own in Unknown on line 0
["a\/b",true]
