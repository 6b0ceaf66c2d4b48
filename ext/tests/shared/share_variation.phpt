--TEST--
Sharing: no heap for what is read, and a write separates
--EXTENSIONS--
larder
--INI--
larder.share=1
--FILE--
<?php
$memory = new Larder\SharedMemory();
$rows = [];
for ($i = 0; $i < 1000; $i++) {
    $rows[] = ['id' => $i, 'name' => "name $i"];
}
$memory->set('rows', $rows);
$memory->set('string', str_repeat('x', 100000));
unset($rows);
$first = $memory->get('rows');
$second = $text = null;
$before = memory_get_usage();
$second = $memory->get('rows');
$text = $memory->get('string');
var_dump(memory_get_usage() - $before);

$second[3]['name'] = 'mine';
var_dump($first[3]['name'], $second[3]['name'], $second[4]['name'], $memory->get('rows')[3]['name']);
$text[0] = 'y';
var_dump($memory->get('string')[0], $memory->info()['mode'], $memory->info()['reason']);
?>
--EXPECT--
int(0)
string(6) "name 3"
string(4) "mine"
string(6) "name 4"
string(6) "name 3"
string(1) "x"
string(5) "share"
string(0) ""
