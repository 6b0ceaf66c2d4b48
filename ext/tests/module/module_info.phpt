--TEST--
php --ri larder: mode, base, size, name and namespace
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/process.inc';

$directory = segment_directory();
$settings = [
    'larder.directory' => $directory,
    'larder.name' => 'web',
    'larder.size' => '4M',
    'larder.namespace' => 'pool',
    'larder.share' => '1',
];
echo str_replace($directory, 'DIRECTORY', shell_exec(php_command($settings) . ' --ri larder'));
?>
--EXPECTF--

larder

Larder => %s
Mode => share
Base => 0x3c0000000000
Size => 4194304
Segment => DIRECTORY/larder.web
Namespace => pool
Memcached pools => 0
Memcached over TLS => %s

Directive => Local Value => Master Value
%A
