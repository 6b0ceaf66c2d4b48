--TEST--
memcached: it loads beside larder.so in any order, and says so where php-memcached is loaded already
--EXTENSIONS--
larder
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/drop_in.inc';

$larder = dirname(ours()) . '/larder.so';
$code = 'echo phpversion("memcached"), " ", Memcached::LARDER === phpversion("larder") ? "larder" : "alone", "\n";';

echo run_with(ours(), str_replace('phpversion("larder")', 'null', $code));
echo run_with(ours(), $code, [$larder]);
echo run_with($larder, $code, [ours()]);
$said = run_with(ours(), 'echo defined("Memcached::LARDER") ? "ours" : "theirs", "\n";', [PEER]);
echo preg_replace(['~^PHP .*\n~m', '~^\s*\n~m'], '', $said);
?>
--EXPECTF--
3.3.0-larder alone
3.3.0-larder larder
3.3.0-larder larder
Warning: Larder's module memcached is not loaded, since another one of that name is (version 3.%s): remove one of the two lines extension=memcached in Unknown on line 0
Warning: Module "memcached" is already loaded in Unknown on line 0
theirs
