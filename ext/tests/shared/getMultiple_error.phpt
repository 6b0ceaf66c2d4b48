--TEST--
getMultiple, setMultiple, deleteMultiple: every key is looked at before anything is done
--EXTENSIONS--
larder
--FILE--
<?php
$memory = new Larder\SharedMemory();
$memory->set('a', 1);
$calls = [
    fn() => $memory->getMultiple(['a', null]),
    fn() => $memory->getMultiple(['a', '']),
    fn() => $memory->deleteMultiple(['a', 1.5]),
    fn() => $memory->deleteMultiple(['a', str_repeat('k', 1025)]),
    fn() => $memory->setMultiple(['a' => 2, '' => 3]),
    fn() => $memory->setMultiple(['a' => 2], NAN),
];
foreach ($calls as $call) {
    try {
        $call();
    } catch (Error $error) {
        echo $error::class, ': ', $error->getMessage(), "\n";
    }
}
var_dump($memory->get('a'));
?>
--EXPECT--
TypeError: Larder\SharedMemory::getMultiple(): Argument #1 ($keys) must contain only strings, null found
ValueError: Larder\SharedMemory::getMultiple(): Argument #1 ($keys) must contain only keys of 1 to 1024 bytes
TypeError: Larder\SharedMemory::deleteMultiple(): Argument #1 ($keys) must contain only strings, float found
ValueError: Larder\SharedMemory::deleteMultiple(): Argument #1 ($keys) must contain only keys of 1 to 1024 bytes
ValueError: Larder\SharedMemory::setMultiple(): Argument #1 ($values) must contain only keys of 1 to 1024 bytes
ValueError: Larder\SharedMemory::setMultiple(): Argument #2 ($ttl) must not be NAN
int(1)
