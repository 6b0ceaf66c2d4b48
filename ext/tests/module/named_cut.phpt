--TEST--
The file of a named segment is cut under a process: misses, then another file; who holds lost memory ends with an error
--EXTENSIONS--
larder
--ENV--
USE_TRACKED_ALLOC=1
--FILE--
<?php
require __DIR__ . '/process.inc';

$directory = segment_directory();
$named = ['larder.directory' => $directory, 'larder.name' => 'web', 'larder.size' => '4M'];
// A debug build of PHP before 8.5 tells of what a killed request leaves.
$named += PHP_VERSION_ID < 80500 ? ['report_memleaks' => '0'] : [];
$file = "$directory/larder.web";
$start = <<<'PHP'
    $memory = new Larder\SharedMemory();
    $rows = array_fill(0, 100, ['id' => 1, 'text' => 'a text of a row']);
    $memory->setMultiple(['int' => 7, 'text' => 'small', 'long' => str_repeat('x', 20000), 'rows' => $rows]);
    $cut = fn (int $size) => ftruncate(fopen(ini_get('larder.directory') . '/larder.web', 'r+'), $size);
    PHP;
$look = '$many = $memory->getMultiple(["long", "rows"]); $sum = $memory->increment("int");'
    . 'echo json_encode([$memory->get("int"), $memory->get("text"), strlen($many["long"] ?? ""), '
    . 'count($many["rows"] ?? []), $memory->has("int"), is_int($sum) ? $sum : $sum->name]), "\n";';
$anew = 'echo $memory->set("int", 8)->name, " ", $memory->get("int"), " ", json_encode($memory->info()["private"]);';

foreach (['0', '1'] as $share) {
    $settings = ['larder.share' => $share] + $named;
    foreach ([0, 4096] as $size) {
        echo "-- share $share, cut to $size\n", run_php("$start\$cut($size); $look $anew", $settings), "\n";
        clearstatcache();
        echo filesize($file), ' ', run_php('echo (new Larder\SharedMemory())->get("int");', $settings), "\n";
        unlink($file);
    }
}

echo "-- what is held is lost\n";
$held = ['larder.share' => '1'] + $named;
$hold = $start . '$mine = $memory->get("rows"); $cut(0); register_shutdown_function(fn () => print("over\n"));';
echo trim(run_php(
    $hold . 'foreach ($mine as $row) { echo $row["text"] ?? "", "\n"; } echo "not reached\n";',
    $held,
)), "\n";
unlink($file);

echo "-- what is held is not touched\n";
echo run_php($hold . 'echo json_encode([$memory->get("int"), $memory->set("int", 8)->name]), "\n";', $held);
unlink($file);

echo "-- a child of fork, and its parent\n";
echo run_php(
    $start . '$cut(0); $child = pcntl_fork(); $child > 0 && pcntl_waitpid($child, $status); '
        . '$by = $child > 0 ? "by parent" : "by child"; '
        . 'echo json_encode([$memory->get("int"), $memory->set($by, 1)->name]), "\n";'
        . 'if ($child > 0) { echo $memory->get("by child"), pcntl_wifexited($status), "\n"; }',
    ['larder.share' => '0'] + $named,
);
?>
--EXPECTF--
-- share 0, cut to 0
[null,null,0,0,false,"NotFound"]
Done 8 false
4194304 8
-- share 0, cut to 4096
[null,null,0,0,false,"NotFound"]
Done 8 false
4194304 8
-- share 1, cut to 0
[null,null,0,0,false,"NotFound"]
Done 8 false
4194304 8
-- share 1, cut to 4096
[null,null,0,0,false,"NotFound"]
Done 8 false
4194304 8
-- what is held is lost
Fatal error: The file of the shared memory was cut, and with it went values that this request had been handed out in %s on line %d
over
-- what is held is not touched

Fatal error: The file of the shared memory was cut, and with it went values that this request had been handed out in %s on line %d
over
-- a child of fork, and its parent
[null,"Done"]
[null,"Done"]
11
