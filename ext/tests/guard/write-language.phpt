--TEST--
The language's constructs write nothing to shared values
--EXTENSIONS--
larder
pcntl
--INI--
larder.share=1
larder.protect=read
larder.size=16M
apc.enable_cli=1
--FILE--
<?php

require __DIR__ . '/guard.inc';
guard_run('language', require __DIR__ . '/scenarios/language.inc');
?>
--EXPECTREGEX--
(not run: [^\n]+\n)?language: \d+ of 56 scenarios run, 0 failed
