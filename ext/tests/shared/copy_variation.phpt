--TEST--
Copying: nothing stays pinned, whatever a read runs or throws
--EXTENSIONS--
larder
--INI--
larder.share=0
--FILE--
<?php
final class Thrower
{
    public function __serialize(): array
    {
        return [];
    }

    public function __unserialize(array $data): void
    {
        global $memory;
        echo 'pinned within: ', json_encode($memory->info()['oldestPinProcess'] === getmypid());
        $memory->get('array');
        echo ', after another read: ', json_encode($memory->info()['oldestPinProcess'] === getmypid()), "\n";
        throw new DomainException('thrown');
    }
}

function age(): float
{
    global $memory;
    return $memory->info()['oldestPinAge'];
}

$memory = new Larder\SharedMemory();
$memory->setMultiple([
    'int' => 1,
    'array' => [1, [2, 3]],
    'string' => str_repeat('x', 100000),
    'thrower' => ['a' => [new Thrower()]],
]);
$array = $memory->get('array');
$string = $memory->get('string');
$memory->has('int');
$memory->get('missing');
$memory->entries();
$memory->add('array', 1);
var_dump(age());
foreach ([
    fn() => $memory->get('thrower'),
    fn() => $memory->read('thrower'),
    fn() => $memory->getOrLease('thrower'),
    fn() => $memory->getMultiple(['int', 'thrower']),
] as $call) {
    $given = $call();
    echo $given instanceof Larder\Answer ? ($given->hit ? 'hit' : 'miss') : json_encode($given), ' ', age(), "\n";
}
?>
--EXPECT--
float(0)
pinned within: true, after another read: true
null 0
pinned within: true, after another read: true
miss 0
pinned within: true, after another read: true
miss 0
pinned within: true, after another read: true
{"int":1} 0
