--TEST--
Two users meet on one name: the second is told who both are
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
Warning: PHP Startup: DIRECTORY/larder.web: the file belongs to user 65534 and this process runs as 0; give each user a name of its own, or name the owner or the group that all agree on; this process and its children use a segment of their own in Unknown on line 0
NULL
