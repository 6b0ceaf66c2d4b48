--TEST--
What the engine will find in a stored string and array, field by field
--EXTENSIONS--
larder
ffi
--INI--
larder.share=1
ffi.enable=1
--FILE--
<?php

declare(strict_types=1);

require __DIR__ . '/layout.inc';
?>
--EXPECT--
"": refcount 2, interned, valid UTF-8, hash, NUL
"x": refcount 2, interned, valid UTF-8, hash, NUL
"plain text": refcount 2, interned, valid UTF-8, hash, NUL
"caf\u00e9": refcount 2, interned, valid UTF-8, hash, NUL
not UTF-8: refcount 2, interned, hash, NUL
class name: refcount 2, interned, valid UTF-8, hash, NUL
twice: refcount 3, interned, valid UTF-8, hash, NUL
map of 3: refcount 2, immutable, static keys; mask -16, used 3, elements 3, size 8, pointer 0, next 8, destructor none, data in its place
map of 10: refcount 2, immutable, static keys; mask -32, used 10, elements 10, size 16, pointer 0, next 9, destructor none, data in its place
map after unset: refcount 2, immutable, static keys; mask -16, used 2, elements 2, size 8, pointer 0, next 8, destructor none, data in its place
list of 5: refcount 2, immutable, packed, static keys; mask -2, used 5, elements 5, size 8, pointer 0, next 5, destructor none, data in its place
list of 17: refcount 2, immutable, packed, static keys; mask -2, used 17, elements 17, size 32, pointer 0, next 17, destructor none, data in its place
