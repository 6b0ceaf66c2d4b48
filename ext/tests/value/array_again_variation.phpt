--TEST--
A fetched value, whole or in part, can be stored again
--EXTENSIONS--
larder
--INI--
larder.share=1
larder.protect=read
--FILE--
<?php

declare(strict_types=1);

require __DIR__ . '/value.inc';

$memory = new Larder\SharedMemory();
$value = ['list' => [1, 2, [3]], 'text' => str_repeat('long', 5000), 'object' => new ArrayObject([1])];
$memory->set('first', $value);
$found = $memory->get('first');
$memory->set('whole', $found);
$memory->set('part', ['new' => 'x', 'old' => $found['list'], 'text' => $found['text']]);
$memory->set('string', $found['text']);
$memory->set('first', 'gone');
$memory->delete('first');
echo $memory->get('whole') == $value ? 'same' : 'CHANGED', "\n";
echo $memory->get('part') === ['new' => 'x', 'old' => $value['list'], 'text' => $value['text']]
    ? 'same'
    : 'CHANGED', "\n";
echo $memory->get('string') === $value['text'] ? 'same' : 'CHANGED', "\n";
$memory->set('whole', $memory->get('whole'));
echo $memory->get('whole') == $value ? 'same' : 'CHANGED', "\n";
?>
--EXPECT--
same
same
same
same
