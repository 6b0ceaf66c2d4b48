--TEST--
A shared string carries the mark of valid UTF-8, so that PCRE does not look through it again
--EXTENSIONS--
larder
--INI--
larder.share=1
--FILE--
<?php

declare(strict_types=1);

require __DIR__ . '/value.inc';

$text = str_repeat("caf\u{e9} ", 400_000);
$fastest = static function (string $subject): int {
    for ($best = PHP_INT_MAX, $i = 0; $i < 5; $i++) {
        $start = hrtime(true);
        preg_match('/^caf/u', $subject);
        $best = min($best, hrtime(true) - $start);
    }

    return $best;
};
$start = hrtime(true);
preg_match('/^caf/u', $text);
$first = hrtime(true) - $start;
$found = again(['text' => $text . 'x']);
echo $fastest($found['text']) * 20 < $first ? 'known to be valid' : 'looked through again', "\n";
$found = again($text . "\xff");
var_dump(preg_match('/^caf/u', $found));
?>
--EXPECT--
known to be valid
bool(false)
