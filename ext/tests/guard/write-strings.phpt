--TEST--
The string functions, serializers and regular expressions write nothing to shared values
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
guard_run('strings', require __DIR__ . '/scenarios/strings.inc');
?>
--EXPECTREGEX--
(not run: [^\n]+\n)?strings: \d+ of 22 scenarios run, 0 failed
