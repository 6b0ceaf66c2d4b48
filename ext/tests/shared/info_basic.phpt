--TEST--
info: the state of the segment
--EXTENSIONS--
larder
--INI--
larder.size=16M
larder.share=0
--FILE--
<?php
$memory = new Larder\SharedMemory('space');
$info = $memory->info();
echo implode(' ', array_keys($info)), "\n";
foreach ([
    'mode', 'reason', 'name', 'private', 'alone', 'size', 'namespace', 'slots', 'entries', 'leases', 'stores',
    'bytesUsed', 'oldestPinAge', 'oldestPinProcess',
] as $name) {
    echo $name, ': ', json_encode($info[$name]), "\n";
}
var_dump(
    abs($info['made'] - time()) < 60,
    count($info['shards']),
    $info['bytesTotal'] === array_sum(array_column($info['shards'], 'bytesTotal')),
);

for ($i = 0; $i < 100; $i++) {
    $memory->set("key $i", str_repeat('x', 1000));
}
$memory->delete('key 7');
$lease = $memory->lease('key 7');
$memory->set('large', str_repeat('x', $info['largest'] + 1));
$info = $memory->info();
var_dump(
    $info['entries'],
    $info['stores'],
    $info['leases'],
    $info['refusedLarge'],
    $info['bytesUsed'] >= 99 * 1024,
    $info['bytesLimbo'] >= 0,
    $info['slotsUsed'],
);
?>
--EXPECT--
mode reason name private alone base size made slots slotsUsed epoch reaped noSlot oldestPinAge oldestPinProcess namespace largest entries leases bytesUsed bytesLimbo bytesTotal stores evictions expirations refusedLarge refusedFull lockTimeouts recoveries shards
mode: "copy"
reason: "larder.share is 0"
name: ""
private: false
alone: true
size: 16777216
namespace: "space"
slots: 1024
entries: 0
leases: 0
stores: 0
bytesUsed: 0
oldestPinAge: 0
oldestPinProcess: 0
bool(true)
int(4)
bool(true)
int(99)
int(100)
int(1)
int(1)
bool(true)
bool(true)
int(1)
