--TEST--
Sets and copying gets leave no memory behind in the request
--EXTENSIONS--
larder
--INI--
larder.share=0
--FILE--
<?php

declare(strict_types=1);

require __DIR__ . '/memory.inc';
?>
--EXPECT--
strings: 0 bytes
table: 0 bytes
objects: 0 bytes
repeated: 0 bytes
refused: 0 bytes
thrown: 0 bytes
