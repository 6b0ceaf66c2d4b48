--TEST--
What occurs twice is copied once
--EXTENSIONS--
larder
--INI--
larder.share=0
--FILE--
<?php

declare(strict_types=1);

require __DIR__ . '/repeated.inc';
?>
--EXPECT--
60 deep: bottom
60 deep with an object: bottom 7, one object: yes
60 deep through references: bottom
1 MB string 64 times: same
