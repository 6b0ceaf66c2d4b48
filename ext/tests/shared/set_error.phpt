--TEST--
set: what cannot be stored is an exception, and nothing is changed
--EXTENSIONS--
larder
--FILE--
<?php
final class Refuses
{
    public function __serialize(): array
    {
        throw new LogicException('not me');
    }
}

$memory = new Larder\SharedMemory();
$memory->set('key', 'old');
$cycle = [];
$cycle['self'] = &$cycle;
$calls = [
    fn() => $memory->set('key', ['a' => ['b' => fopen('php://memory', 'r')]]),
    fn() => $memory->set('key', fn() => 1),
    fn() => $memory->set('key', $cycle),
    fn() => $memory->set('key', [new Refuses()]),
    fn() => $memory->set('key', 1, NAN),
    fn() => $memory->add('new', fn() => 1),
    fn() => $memory->replace('key', fn() => 1),
    fn() => $memory->cas('key', fn() => 1, 1),
    fn() => $memory->setMultiple(['fine' => 1, 'key' => fn() => 1, 'late' => 1]),
];
foreach ($calls as $call) {
    try {
        $call();
        echo "no exception\n";
    } catch (Throwable $error) {
        echo $error::class, $error instanceof Larder\Exception\LarderException ? ' (of Larder)' : '', "\n";
    }
}
var_dump($memory->get('key'), $memory->getMultiple(['new', 'fine', 'late']));
?>
--EXPECT--
Larder\Exception\UnstorableValue (of Larder)
Larder\Exception\UnstorableValue (of Larder)
Larder\Exception\UnstorableValue (of Larder)
LogicException
ValueError
Larder\Exception\UnstorableValue (of Larder)
Larder\Exception\UnstorableValue (of Larder)
Larder\Exception\UnstorableValue (of Larder)
Larder\Exception\UnstorableValue (of Larder)
string(3) "old"
array(1) {
  ["fine"]=>
  int(1)
}
