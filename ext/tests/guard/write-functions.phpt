--TEST--
Bundled functions that take an array or a string write nothing to shared values
--EXTENSIONS--
larder
pcntl
--SKIPIF--
<?php if (getenv('SKIP_ASAN')) die('skip needs a memory limit, which a build with ASan does not keep'); ?>
--INI--
larder.share=1
larder.protect=read
larder.size=16M
--FILE--
<?php

require __DIR__ . '/fuzz.inc';
guard_fuzz_report('functions', guard_functions(), 24, 400);
?>
--EXPECTF--
seed %d, %d sets
functions: %d called in %d calls, %d returned, %d not called
%Awrites found: 0
