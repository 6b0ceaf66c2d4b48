--TEST--
A namespace has at most 63 bytes and no NUL
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
?>
--EXPECT--
Larder\SharedMemory::__construct(): Argument #1 ($namespace) must be at most 63 bytes long
Larder\SharedMemory::__construct(): Argument #1 ($namespace) must not contain any null bytes
