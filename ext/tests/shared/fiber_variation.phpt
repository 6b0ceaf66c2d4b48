--TEST--
Reads that are suspended in the middle and end in another order
--EXTENSIONS--
larder
--INI--
larder.share=0
--FILE--
<?php
final class Sleeper
{
    public array $state = [];

    public function __serialize(): array
    {
        return ['text' => str_repeat('x', 100)];
    }

    public function __unserialize(array $data): void
    {
        Fiber::suspend();
        $this->state = $data;
    }
}

$memory = new Larder\SharedMemory();
$memory->set('key', ['before' => [1], new Sleeper(), 'behind' => [2]]);
$fibers = [];
for ($i = 0; $i < 3; $i++) {
    $fibers[] = $fiber = new Fiber(fn() => $memory->get('key'));
    $fiber->start();
}
$memory->delete('key');
foreach ([1, 0] as $i) {
    $fibers[$i]->resume();
    var_dump(count($fibers[$i]->getReturn()), $memory->info()['oldestPinAge'] > 0);
}
$fibers[2]->resume();
var_dump(strlen($fibers[2]->getReturn()[0]->state['text']), $memory->info()['oldestPinAge']);
?>
--EXPECT--
int(3)
bool(true)
int(3)
bool(true)
int(100)
float(0)
