--TEST--
Other extensions write nothing to shared values
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
guard_run('extensions', require __DIR__ . '/scenarios/extensions.inc');
?>
--EXPECTREGEX--
(not run: [^\n]+\n)?extensions: \d+ of 19 scenarios run, 0 failed
