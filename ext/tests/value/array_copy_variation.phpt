--TEST--
The same arrays when a get copies
--EXTENSIONS--
larder
--INI--
larder.share=0
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
