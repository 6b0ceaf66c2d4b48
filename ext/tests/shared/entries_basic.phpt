--TEST--
entries: a walk in parts, through one namespace
--EXTENSIONS--
larder
--FILE--
<?php
$memory = new Larder\SharedMemory('here');
(new Larder\SharedMemory('there'))->set('not mine', 1);
$values = [
    'int' => 1,
    'null' => null,
    'bool' => false,
    'float' => 1.5,
    'string' => 'text',
    'array' => [1],
    'mixed' => [Larder\Outcome::Done],
];
foreach ($values as $key => $value) {
    $memory->set($key, $value, $key === 'int' ? 60 : null);
}
$memory->set('over', 1, 0.001);
$memory->lease('only a lease');
usleep(50000);

$seen = [];
for ($cursor = 0, $calls = 0; $cursor !== null; $calls++) {
    ['next' => $cursor, 'entries' => $entries] = $memory->entries($cursor, 2);
    $seen = [...$seen, ...$entries];
}
array_multisort(array_column($seen, 'key'), $seen);
foreach ($seen as $entry) {
    printf(
        "%s %s %d %s %s\n",
        $entry['key'],
        $entry['type'],
        $entry['bytes'] > 0,
        $entry['expires'] === null ? 'never' : 'ends',
        json_encode($entry['version'] === $memory->read($entry['key'])->version),
    );
}
var_dump($calls, count($memory->entries()['entries']), $memory->entries()['next']);
?>
--EXPECT--
array array 1 never true
bool bool 1 never true
float float 1 never true
int int 1 ends true
mixed mixed 1 never true
null null 1 never true
string string 1 never true
int(4)
int(7)
NULL
