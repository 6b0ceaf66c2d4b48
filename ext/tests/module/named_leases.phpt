--TEST--
A lease ends with its request, also by exit(), and with its process
--EXTENSIONS--
larder
--ENV--
USE_TRACKED_ALLOC=1
--FILE--
<?php
require __DIR__ . '/process.inc';

$named = ['larder.directory' => segment_directory(), 'larder.name' => 'web', 'larder.size' => '4M'];
$lease = '$memory = new Larder\SharedMemory(); $lease = $memory->getOrLease("key", 60)->lease; ';
$ends = [
    'the end' => '',
    'exit' => 'exit();',
    'exception' => 'throw new Exception();',
    'out of memory' => 'ini_set("memory_limit", "4M"); str_repeat("x", 8000000);',
    'no shutdown' => 'register_shutdown_function(function () { $GLOBALS["memory"]->lease("late"); });',
    'killed' => 'proc_terminate(proc_open("kill -9 " . getmypid(), [], $pipes)); sleep(5);',
];
foreach ($ends as $name => $end) {
    run_php($lease . $end, $named);
    echo $name, ': ', run_php(
        $lease . 'echo json_encode([is_int($lease), is_int($memory->lease("late"))]);',
        $named,
    ), "\n";
}
?>
--EXPECT--
the end: [true,true]
exit: [true,true]
exception: [true,true]
out of memory: [true,true]
no shutdown: [true,true]
killed: [true,true]
