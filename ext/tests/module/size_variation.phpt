--TEST--
larder.size: at least 2 MB; what does not fit, or is more than the system has, is named and the default holds
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/process.inc';

$show = '$info = (new Larder\SharedMemory())->info(); echo json_encode([$info["size"], count($info["shards"])]), "\n";';
foreach ([
    ['larder.size' => '1'],
    ['larder.size' => '3M'],
    ['larder.size' => '16000G'],
    ['larder.size' => '2M', 'larder.slots' => '65536'],
    ['larder.size' => '2M', 'larder.shards' => '64'],
    ['larder.size' => '8M', 'larder.shards' => '2'],
] as $settings) {
    echo trim(run_php($show, $settings)), "\n";
}
?>
--EXPECTF--
[2097152,1]
[3145728,1]
Warning: PHP Startup: larder.size is more than this system has: anonymous segment: cannot be mapped; ask for less memory: Cannot allocate memory; its default holds in Unknown on line 0
[67108864,4]
Warning: PHP Startup: larder.shards and larder.slots do not fit into larder.size: 2097152 bytes are too few for 1 shards and 65536 process slots: %s; their defaults hold in Unknown on line 0
[2097152,1]
[2097152,64]
[8388608,2]
