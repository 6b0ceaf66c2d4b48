--TEST--
A segment beyond the memory limit of the container (its control group): refused with a warning before it is touched
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/process.inc';

/* The debug build reads these in place of the kernel's files. */
$directory = segment_directory();
file_put_contents("$directory/groups", "0::/docker/1\n");
$code = 'try { $memory = new Larder\SharedMemory(); $memory->set("key", "kept"); echo json_encode('
    . '[$memory->info()["private"], $memory->get("key"), $memory->info()["bytesTotal"] >> 24]), "\n"; }'
    . ' catch (Larder\Exception\SharedMemoryUnavailable $refused) { echo get_class($refused), "\n"; }';
$run = function (string $size, string $limit, string $name = 'web') use ($directory, $code): string {
    file_put_contents("$directory/memory.max", "$limit\n");
    $named = ['larder.directory' => $directory, 'larder.name' => $name, 'larder.size' => $size];

    return str_replace($directory, 'DIRECTORY', trim((string) shell_exec(
        "LARDER_CGROUPS=$directory " . php_command($named) . ' -r ' . escapeshellarg($code) . ' 2>&1',
    )));
};
echo "-- less than the default\n", $run('4M', '4194304'), "\n";
@unlink("$directory/larder.web");
echo "-- more than the default\n", $run('100M', '80000000'), "\n";
@unlink("$directory/larder.web");
echo "-- enough\n", $run('4M', '5000000'), "\n";
/* Joining asks for nothing new. */
echo "-- there already\n", $run('4M', '3000000'), "\n";
echo "-- no limit, no name\n", $run('4M', 'max', ''), "\n";
array_map(unlink(...), ["$directory/groups", "$directory/memory.max"]);
?>
--EXPECT--
-- less than the default
Warning: PHP Startup: DIRECTORY/larder.web: 4194304 bytes are not less than the memory limit of its container or control group, 4194304; ask for less, or raise it; this process and its children use a segment of their own in Unknown on line 0

Warning: PHP Startup: anonymous segment: 4194304 bytes are not less than the memory limit of its container or control group, 4194304; ask for less, or raise it in Unknown on line 0
Larder\Exception\SharedMemoryUnavailable
-- more than the default
Warning: PHP Startup: DIRECTORY/larder.web: 104857600 bytes are not less than the memory limit of its container or control group, 80000000; ask for less, or raise it; this process and its children use a segment of their own in Unknown on line 0

Warning: PHP Startup: larder.size is more than this system has: anonymous segment: 104857600 bytes are not less than the memory limit of its container or control group, 80000000; ask for less, or raise it; its default holds in Unknown on line 0
[true,"kept",3]
-- enough
[false,"kept",0]
-- there already
[false,"kept",0]
-- no limit, no name
[false,"kept",0]
