--TEST--
setMultiple, deleteMultiple: an outcome for each key
--EXTENSIONS--
larder
--FILE--
<?php
function show(array $outcomes): void
{
    echo json_encode(array_map(fn(Larder\Outcome $outcome) => $outcome->name, $outcomes)), "\n";
}

$memory = new Larder\SharedMemory();
show($memory->setMultiple(['a' => 1, 7 => [2], -3 => null, 'large' => str_repeat('x', 40_000_000)]));
echo json_encode($memory->getMultiple(['a', '7', '-3', 'large'])), "\n";
show($memory->deleteMultiple(['a', 7, 'missing']));
echo json_encode($memory->getMultiple(['a', '7', '-3'])), "\n";
show($memory->setMultiple(['a' => 1, 'b' => 2], 0.05));
var_dump($memory->has('b'));
usleep(100000);
var_dump($memory->has('b'));
show($memory->setMultiple(['-3' => 1], 0));
var_dump($memory->has('-3'), $memory->setMultiple([]));
?>
--EXPECT--
{"a":"Done","7":"Done","-3":"Done","large":"Refused"}
{"a":1,"7":[2],"-3":null}
{"a":"Done","7":"Done","missing":"NotFound"}
{"-3":null}
{"a":"Done","b":"Done"}
bool(true)
bool(false)
{"-3":"Done"}
bool(false)
array(0) {
}
