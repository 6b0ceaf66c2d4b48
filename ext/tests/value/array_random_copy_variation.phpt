--TEST--
Random values, copied
--EXTENSIONS--
larder
--INI--
larder.share=0
--FILE--
<?php

declare(strict_types=1);

require __DIR__ . '/random.inc';
?>
--EXPECT--
300 values: same
