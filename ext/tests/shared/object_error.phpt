--TEST--
The object cannot be copied, kept, extended or made without its constructor
--EXTENSIONS--
larder
--FILE--
<?php
$memory = new Larder\SharedMemory();
$calls = [
    fn() => clone $memory,
    fn() => serialize($memory),
    fn() => unserialize('O:19:"Larder\SharedMemory":0:{}'),
    fn() => (new ReflectionClass(Larder\SharedMemory::class))->newInstanceWithoutConstructor(),
    fn() => $memory->property = 1,
];
foreach ($calls as $call) {
    try {
        $call();
        echo "no error\n";
    } catch (Throwable $error) {
        echo $error->getMessage(), "\n";
    }
}
var_dump((new ReflectionClass($memory))->isFinal(), $memory instanceof Larder\Store);
$memory->__construct('other');
var_dump($memory->info()['namespace']);
try {
    $memory->__construct(str_repeat('n', 64));
} catch (ValueError) {
    var_dump($memory->info()['namespace']);
}
?>
--EXPECT--
Trying to clone an uncloneable object of class Larder\SharedMemory
Serialization of 'Larder\SharedMemory' is not allowed
Unserialization of 'Larder\SharedMemory' is not allowed
Class Larder\SharedMemory is an internal class marked as final that cannot be instantiated without invoking its constructor
Cannot create dynamic property Larder\SharedMemory::$property
bool(true)
bool(true)
string(5) "other"
string(5) "other"
