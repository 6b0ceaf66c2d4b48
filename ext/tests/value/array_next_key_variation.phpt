--TEST--
Appending goes on with the same key, and holes stay holes
--EXTENSIONS--
larder
--INI--
larder.share=1
larder.protect=read
--FILE--
<?php

declare(strict_types=1);

require __DIR__ . '/next_key.inc';
?>
--EXPECTF--
empty: 0
popped: 1
emptied: 3
emptied map: 8
unset tail: 3
holes: 4
many holes: 1000
negative: %i
string keys: 0
max: no next key
