--TEST--
The other write known: SQLite3::setAuthorizer() counts a reference to a callback that has no count
--DESCRIPTION--
Each call adds one to the reference count of the given string or array, even an interned or immutable one, and nothing
takes it back.
A count that only grows is harmless: what tests it asks for more than one.
--EXTENSIONS--
larder
pcntl
--SKIPIF--
<?php
if (!extension_loaded('sqlite3')) die('skip needs sqlite3');
if (!extension_loaded('FFI')) die('skip needs FFI');
if (PHP_VERSION_ID >= 80300) die('skip needs PHP before 8.3: the later ones were not looked at');
?>
--INI--
larder.share=1
larder.size=4M
ffi.enable=1
--FILE--
<?php

require __DIR__ . '/program.inc';

foreach (['', 'read'] as $protect) {
    echo guard_program('authorizer-program.inc', [], ["larder.protect={$protect}"]), "\n";
}
?>
--EXPECT--
2 before, 5 after 3 calls; the value is as it was
SIGSEGV
