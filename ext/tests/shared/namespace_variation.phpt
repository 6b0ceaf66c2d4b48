--TEST--
larder.namespace that cannot be one
--EXTENSIONS--
larder
--INI--
larder.namespace=nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn
--FILE--
<?php
try {
    new Larder\SharedMemory();
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
var_dump((new Larder\SharedMemory('given'))->info()['namespace']);
?>
--EXPECT--
larder.namespace must be at most 63 bytes long
string(5) "given"
