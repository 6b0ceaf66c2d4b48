--TEST--
null, bools, ints and floats come back with every bit
--EXTENSIONS--
larder
--INI--
larder.share=1
--FILE--
<?php

declare(strict_types=1);

require __DIR__ . '/value.inc';

foreach ([
    null,
    false,
    true,
    0,
    -1,
    PHP_INT_MIN,
    PHP_INT_MAX,
    0.0,
    -0.0,
    0.1,
    INF,
    -INF,
    NAN,
    PHP_FLOAT_MIN,
    PHP_FLOAT_MAX,
    5.0E-324,
] as $value) {
    $found = again($value);
    $bits = is_float($value) && is_float($found) ? pack('E', $found) === pack('E', $value) : $found === $value;
    echo json_encode(var_export($value, true)), ': ', $bits ? 'same' : 'CHANGED', "\n";
}
?>
--EXPECT--
"NULL": same
"false": same
"true": same
"0": same
"-1": same
"-9223372036854775807-1": same
"9223372036854775807": same
"0.0": same
"-0.0": same
"0.1": same
"INF": same
"-INF": same
"NAN": same
"2.2250738585072014E-308": same
"1.7976931348623157E+308": same
"5.0E-324": same
