--TEST--
A child inherits the values that its parent holds: they do not change until the child is gone too
--EXTENSIONS--
larder
pcntl
--INI--
larder.share=1
larder.size=4M
larder.shards=1
--FILE--
<?php

require __DIR__ . '/refill.inc';

$store = new Larder\SharedMemory('fork');
$store->set('held', guard_marked('held'));
$slots = $store->info()['slotsUsed'];
[$ours, $theirs] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);

$parent = pcntl_fork();
if ($parent === 0) {
    pcntl_alarm(30);
    $held = $store->get('held');
    if (pcntl_fork() === 0) {
        pcntl_alarm(30);
        fwrite($theirs, getmypid() . "\n");
        fgets($theirs);
        fwrite($theirs, $held === guard_marked('held') ? "as it was\n" : "overwritten\n");
        fgets($theirs);
    }
    exit(0);
}
fclose($theirs);
pcntl_waitpid($parent, $status);
echo 'the parent ends by itself: ';
var_dump(pcntl_wifexited($status));
$child = (int) fgets($ours);

$store->delete('held');
$refused = guard_refill_by_children($store);
echo 'memory runs out while the child holds the value: ';
var_dump($refused > 0);
echo 'the oldest reader is the child: ';
var_dump($store->info()['oldestPinProcess'] === $child);
fwrite($ours, "look\n");
echo 'the value in the child: ', fgets($ours);
fwrite($ours, "end\n");
fgets($ours);   // its end of the line is closed

echo 'afterwards refused: ';
usleep(100_000);
var_dump(guard_refill_by_children($store));
echo 'slots more than before: ';
var_dump($store->info()['slotsUsed'] - $slots);
?>
--EXPECT--
the parent ends by itself: bool(true)
memory runs out while the child holds the value: bool(true)
the oldest reader is the child: bool(true)
the value in the child: as it was
afterwards refused: int(0)
slots more than before: int(0)
