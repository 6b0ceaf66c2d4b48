--TEST--
The one write known: OPcache counts a reference to a shared path that is not its cache's key
--DESCRIPTION--
Two lines may be SIGSEGV or 42: that crash is OPcache's fault and may be mended there. All other lines are ours.
OPcache keeps the path that include was given as one more key of the file. Where that is not the file's real path
(through a linked directory, by file://) it counts a reference to the string, interned or not: one up, one down later.
That is harmless on a writable page. A path that is a whole value is copied, so it is not affected.
--EXTENSIONS--
larder
pcntl
--SKIPIF--
<?php
if (!extension_loaded('Zend OPcache')) die('skip needs Zend OPcache');
if (getenv('SKIP_ASAN')) die('skip needs a build without ASan: it catches SIGSEGV');
?>
--INI--
larder.share=1
larder.protect=read
larder.size=4M
--FILE--
<?php

require __DIR__ . '/program.inc';

foreach (['' => 'unprotected', 'read' => 'read-only'] as $protect => $name) {
    foreach (['off', 'on'] as $opcache) {
        foreach (['plain', 'relative', 'linked directory', 'file://', 'linked directory, alone'] as $way) {
            $ended = guard_program(
                'include-program.inc',
                [$way],
                ["larder.protect={$protect}", ...GUARD_OPCACHE[$opcache]],
            );
            echo "{$name}, opcache {$opcache}, {$way}: {$ended}\n";
        }
    }
}
?>
--EXPECTF--
unprotected, opcache off, plain: 42
unprotected, opcache off, relative: 42
unprotected, opcache off, linked directory: 42
unprotected, opcache off, file://: 42
unprotected, opcache off, linked directory, alone: 42
unprotected, opcache on, plain: 42
unprotected, opcache on, relative: 42
unprotected, opcache on, linked directory: 42
unprotected, opcache on, file://: 42
unprotected, opcache on, linked directory, alone: 42
read-only, opcache off, plain: 42
read-only, opcache off, relative: 42
read-only, opcache off, linked directory: 42
read-only, opcache off, file://: 42
read-only, opcache off, linked directory, alone: 42
read-only, opcache on, plain: 42
read-only, opcache on, relative: 42
read-only, opcache on, linked directory: %r(SIGSEGV|42)%r
read-only, opcache on, file://: %r(SIGSEGV|42)%r
read-only, opcache on, linked directory, alone: 42
