--TEST--
get: a key is 1 to 1,024 bytes
--EXTENSIONS--
larder
--FILE--
<?php
$memory = new Larder\SharedMemory();
$calls = [
    fn(string $key) => $memory->get($key),
    fn(string $key) => $memory->read($key),
    fn(string $key) => $memory->has($key),
    fn(string $key) => $memory->set($key, 1),
    fn(string $key) => $memory->add($key, 1),
    fn(string $key) => $memory->replace($key, 1),
    fn(string $key) => $memory->cas($key, 1, 1),
    fn(string $key) => $memory->delete($key),
    fn(string $key) => $memory->touch($key),
    fn(string $key) => $memory->increment($key),
    fn(string $key) => $memory->decrement($key),
    fn(string $key) => $memory->getOrLease($key),
    fn(string $key) => $memory->lease($key),
    fn(string $key) => $memory->release($key, 1),
];
$refused = 0;
foreach ($calls as $call) {
    foreach (['', str_repeat('k', 1025)] as $key) {
        try {
            $call($key);
        } catch (ValueError $error) {
            $refused++;
        }
    }
}
var_dump($refused === 2 * count($calls), $error->getMessage());
try {
    $memory->get([]);
} catch (TypeError $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
bool(true)
string(79) "Larder\SharedMemory::release(): Argument #1 ($key) must be 1 to 1024 bytes long"
Larder\SharedMemory::get(): Argument #1 ($key) must be of type string, array given
