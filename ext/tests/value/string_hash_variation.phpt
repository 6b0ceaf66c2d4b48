--TEST--
Shared strings of any length and of any bytes are found as keys, so their hashes are what PHP makes of them
--EXTENSIONS--
larder
--INI--
larder.share=1
larder.protect=read
--FILE--
<?php

declare(strict_types=1);

require __DIR__ . '/value.inc';

mt_srand(7);
$texts = [];
for ($length = 1; $length <= 160; $length++) {
    foreach ([static fn(): int => mt_rand(0x61, 0x7a), static fn(): int => mt_rand(0x80, 0xff)] as $byte) {
        $text = '_';
        while (strlen($text) <= $length) {
            $text .= chr($byte());
        }
        $texts[] = $text;
    }
}
$texts[] = '_' . str_repeat("\0\x7f\x80\xff", 1_000);
$numbers = [];
foreach ($texts as $number => $text) {
    // A string of its own, or the shared ones would have its hash.
    $numbers[substr($text . '.', 0, -1)] = $number;
}
$found = again($texts);
$missed = 0;
foreach ($found as $number => $text) {
    if (($numbers[$text] ?? null) !== $number) {
        $missed++;
    }
}
echo count($found), ' strings, ', $missed, " not found\n";
echo shared($found) ? 'shared' : 'copied', "\n";
?>
--EXPECT--
321 strings, 0 not found
shared
