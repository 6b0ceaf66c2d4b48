--TEST--
Arrays come back with keys, order, types and nesting
--EXTENSIONS--
larder
--INI--
larder.share=1
larder.protect=read
--FILE--
<?php

declare(strict_types=1);

require __DIR__ . '/array.inc';
?>
--EXPECT--
list: same
keys that look alike: same
order: same
empties: same
binary keys: same
big list: same
big map: same
floats: same
rows: same
interleaved: same
