--TEST--
A get of an array takes no memory of the request, and all of it is shared
--EXTENSIONS--
larder
--INI--
larder.share=1
--FILE--
<?php

declare(strict_types=1);

require __DIR__ . '/value.inc';

$memory = new Larder\SharedMemory();
$rows = [];
for ($i = 0; $i < 1000; $i++) {
    $rows[] = ['id' => $i, 'title' => "title $i", 'price' => $i / 7, 'empty' => [], 'tags' => ["a$i", "b$i"]];
}
$memory->set('rows', $rows);
$found = $memory->get('rows');
$found = null;
$before = memory_get_usage();
$found = $memory->get('rows');
echo memory_get_usage() - $before, " bytes\n";
var_dump(
    $found === $rows,
    shared($found),
    shared($found[999]),
    shared($found[999]['tags']),
    shared($found[999]['tags'][1]),
    shared($found[5]['empty']),
);
?>
--EXPECT--
0 bytes
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
