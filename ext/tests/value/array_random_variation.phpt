--TEST--
Random values, shared and with their writes, by a seed
--EXTENSIONS--
larder
--INI--
larder.share=1
larder.protect=read
--FILE--
<?php

declare(strict_types=1);

require __DIR__ . '/random.inc';
?>
--EXPECT--
300 values: same
