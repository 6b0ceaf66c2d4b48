--TEST--
Shared strings as keys, class names, patterns' subjects, in place of any other
--EXTENSIONS--
larder
mbstring
--INI--
larder.share=1
larder.protect=read
--FILE--
<?php

declare(strict_types=1);

require __DIR__ . '/value.inc';

final class Named
{
    public const WORD = 'class constant';
}

$word = 'w' . mt_rand(2, 2);
$found = again([
    Named::class,
    get_class(new Named()),
    $word,
    'strlen',
    "caf\u{e9}",
    "caf\xe9",
    "\xed\xa0\x80",
    "\xf4\x90\x80\x80",
    "\xc0\xaf",
    "12345678\u{10ffff}",
    "1234567\xff",
]);
$map = [$found[2] => 'by found', $found[0] => 'by class'];
echo $map['w2'], ', ', $map['Named'], ', ', $map[$found[1]], "\n";
echo (new $found[0]())::WORD, ', ', $found[0]::WORD, ', ', constant(
    $found[1] . '::WORD',
), ', ', $found[3]('four'), "\n";
foreach (array_slice($found, 4) as $text) {
    echo bin2hex($text), ' ', var_export(preg_match('/^.+$/u', $text), true), ' ', mb_check_encoding($text, 'UTF-8')
        ? 'valid'
        : 'not valid', "\n";
}
$found[2] .= ' and more';
$found[2][0] = 'W';
echo $found[2], ' ', strtoupper($found[4]) === "CAF\u{e9}" ? 'ok' : 'no', ' ', match ($found[3]) {
    'strlen' => 'matched',
    default => 'not matched',
}, "\n";
?>
--EXPECT--
by found, by class, by class
class constant, class constant, class constant, 4
636166c3a9 1 valid
636166e9 false not valid
eda080 false not valid
f4908080 false not valid
c0af false not valid
3132333435363738f48fbfbf 1 valid
31323334353637ff false not valid
W2 and more ok matched
