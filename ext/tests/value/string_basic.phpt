--TEST--
Strings of any bytes; alone they are shared from 16 KB on, inside an array always
--EXTENSIONS--
larder
--INI--
larder.share=1
larder.protect=read
--FILE--
<?php

declare(strict_types=1);

require __DIR__ . '/value.inc';

check('empty', '');
check('one byte', "\xff");
check('NUL', "a\0b\0");
check('number', '0012');
foreach ([16383, 16384, 16385, 1000000] as $length) {
    $value = str_repeat("\x00\xffab", intdiv($length, 4)) . str_repeat('z', $length % 4);
    $found = again($value);
    echo $length, ': ', $found === $value ? 'same' : 'CHANGED', shared($found) ? ', shared' : ', copied', "\n";
}
$found = again(['', 'x', str_repeat('long', 3), 'k' . time() => 'v']);
foreach ($found as $string) {
    var_dump(shared($string));
}
?>
--EXPECT--
empty: same
one byte: same
NUL: same
number: same
16383: same, copied
16384: same, shared
16385: same, shared
1000000: same, shared
bool(true)
bool(true)
bool(true)
bool(true)
