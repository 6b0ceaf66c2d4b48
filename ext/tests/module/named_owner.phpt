--TEST--
A named segment of another user is refused
--EXTENSIONS--
larder
--SKIPIF--
<?php
$file = tempnam(sys_get_temp_dir(), 'larder');
if (!@chown($file, 65534)) {
    echo 'skip needs the right to give a file away';
}
unlink($file);
?>
--FILE--
<?php
require __DIR__ . '/process.inc';

$directory = segment_directory();
$named = ['larder.directory' => $directory, 'larder.name' => 'web', 'larder.size' => '4M'];
run_php('(new Larder\SharedMemory())->set("key", 1);', $named);
chown("$directory/larder.web", 65534);
echo str_replace($directory, 'DIRECTORY', trim(run_php('var_dump((new Larder\SharedMemory())->get("key"));', $named)));
?>
--EXPECTF--
Warning: PHP Startup: DIRECTORY/larder.web: %suser%s in Unknown on line 0
NULL
