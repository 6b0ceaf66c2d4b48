--TEST--
Bundled classes, streams, settings and handlers write nothing to shared values
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
guard_run('classes', require __DIR__ . '/scenarios/classes.inc');
?>
--EXPECTREGEX--
(not run: [^\n]+\n)?classes: \d+ of 21 scenarios run, 0 failed
