--TEST--
larder.size=0: there is no store, and the constructor says so
--EXTENSIONS--
larder
--INI--
larder.size=0
--FILE--
<?php
try {
    new Larder\SharedMemory();
} catch (Larder\Exception\SharedMemoryUnavailable $error) {
    echo $error->getMessage(), "\n";
    var_dump($error instanceof RuntimeException, $error instanceof Larder\Exception\LarderException);
}
(new ReflectionExtension('larder'))->info();
?>
--EXPECTF--
There is no shared memory: larder.size is 0
bool(true)
bool(true)

larder

Larder => %s
Mode => off
Reason => larder.size is 0
%A
