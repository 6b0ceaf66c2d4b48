--TEST--
Nothing looks at shared values after the request that fetched them
--DESCRIPTION--
The values' pages cannot be read any more once a request has ended, and the next request gets another segment. Code that
still looks at an old value ends the server.
--EXTENSIONS--
larder
pcntl
--SKIPIF--
<?php if (getenv('SKIP_ASAN')) die('skip needs a memory limit, which a build with ASan does not keep'); ?>
--FILE--
<?php

require __DIR__ . '/after-request.inc';
guard_serve(['larder.protect=hide'], 2, (int) (getenv('LARDER_GUARD_SEED') ?: random_int(1, 1_000_000)));
?>
--EXPECTREGEX--
(not run: [^\n]+\n)?\d{3} requests of \d+ kinds, 0 wrong; the server is alive
