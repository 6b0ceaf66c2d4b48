--TEST--
A process that becomes another program holds nothing any more, though it lives on
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

$store = new Larder\SharedMemory('exec');
$store->set('held', guard_marked('held'));
$reaped = $store->info()['reaped'];
[$ours, $theirs] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);

$child = pcntl_fork();
if ($child === 0) {
    $held = $store->get('held');
    fwrite($theirs, "has it\n");
    fgets($theirs);
    pcntl_exec('/bin/sleep', ['30']);
    exit(1);
}
echo fgets($ours);
$store->delete('held');
echo 'refused while it holds the value: ';
var_dump(guard_refill_by_children($store) > 0);
fwrite($ours, "go\n");
for ($i = 0; $i < 500 && trim(file_get_contents("/proc/{$child}/comm")) !== 'sleep'; $i++) {
    usleep(10_000);
}
echo trim(file_get_contents("/proc/{$child}/comm")), "\n";
echo 'refused now: ';
var_dump(guard_refill_by_children($store));
echo 'slots taken back: ';
var_dump($store->info()['reaped'] - $reaped);
proc_close(proc_open(['/bin/kill', '-9', (string) $child], [], $pipes));
pcntl_waitpid($child, $status);
echo 'alive until now: ';
var_dump(pcntl_wifsignaled($status));
?>
--EXPECT--
has it
refused while it holds the value: bool(true)
sleep
refused now: int(0)
slots taken back: int(1)
alive until now: bool(true)
