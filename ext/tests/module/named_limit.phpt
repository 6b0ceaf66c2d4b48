--TEST--
A named segment beyond the limit of file sizes (ulimit -f): a warning, and a private one instead
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/process.inc';

$directory = segment_directory();
$named = ['larder.directory' => $directory, 'larder.name' => 'web', 'larder.size' => '4M'];
$code = '$memory = new Larder\SharedMemory(); $memory->set("key", "kept"); '
    . 'echo json_encode([$memory->info()["private"], $memory->get("key")]), "\n";';
$run = fn(string $limit): string => str_replace(
    $directory,
    'DIRECTORY',
    trim((string) shell_exec("ulimit -S -f $limit; " . php_command($named) . ' -r ' . escapeshellarg($code) . ' 2>&1')),
);
/* In blocks of 512 bytes for dash, of 1,024 for others: too few in either. */
foreach (['0', '1', '4000'] as $limit) {
    echo $run($limit), "\n";
    @unlink("$directory/larder.web");
}
echo $run('unlimited'), "\n";
/* Joining writes no file. */
echo $run('1'), "\n";
?>
--EXPECT--
Warning: PHP Startup: DIRECTORY/larder.web: is larger than this process's limit (ulimit -f, LimitFSIZE=); raise it, or ask for less: File too large; this process and its children use a segment of their own in Unknown on line 0
[true,"kept"]
Warning: PHP Startup: DIRECTORY/larder.web: is larger than this process's limit (ulimit -f, LimitFSIZE=); raise it, or ask for less: File too large; this process and its children use a segment of their own in Unknown on line 0
[true,"kept"]
Warning: PHP Startup: DIRECTORY/larder.web: is larger than this process's limit (ulimit -f, LimitFSIZE=); raise it, or ask for less: File too large; this process and its children use a segment of their own in Unknown on line 0
[true,"kept"]
[false,"kept"]
[false,"kept"]
