--TEST--
A namespace has at most 63 bytes and no NUL, and there are at most 256
--EXTENSIONS--
larder
--FILE--
<?php
foreach ([str_repeat('n', 64), "a\0b"] as $name) {
    try {
        new Larder\SharedMemory($name);
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
}
try {
    for ($i = 0; $i < 300; $i++) {
        new Larder\SharedMemory("space $i");
    }
} catch (Larder\Exception\SharedMemoryUnavailable $error) {
    echo $i, ': ', $error->getMessage(), "\n";
}
var_dump((new Larder\SharedMemory('space 3'))->set('key', 1));
?>
--EXPECT--
Larder\SharedMemory::__construct(): Argument #1 ($namespace) must be at most 63 bytes long
Larder\SharedMemory::__construct(): Argument #1 ($namespace) must not contain any null bytes
256: The shared memory has 256 namespaces already
enum(Larder\Outcome::Done)
