--TEST--
References are followed, and are none any more in what is found
--EXTENSIONS--
larder
--INI--
larder.share=1
larder.protect=read
--FILE--
<?php

declare(strict_types=1);

require __DIR__ . '/value.inc';

$word = 'text' . time();
$list = [1, 2];
$value = ['w' => &$word, 'w2' => &$word, 'l' => &$list, 'in' => ['l' => &$list]];
$found = again($value);
var_dump($found === ['w' => $word, 'w2' => $word, 'l' => [1, 2], 'in' => ['l' => [1, 2]]]);
$found['w'] = 'changed';
$found['l'][] = 3;
var_dump($found['w2'] === $word, $found['in']['l'] === [1, 2], $word !== 'changed', $list === [1, 2]);
$by = &$value;
var_dump(again($by) == $value);
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
