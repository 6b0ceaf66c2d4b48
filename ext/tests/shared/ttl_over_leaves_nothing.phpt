--TEST--
A write whose ttl is over takes the value away, and leaves no entry behind
--EXTENSIONS--
larder
--FILE--
<?php
$memory = new Larder\SharedMemory();
$before = $memory->info()['entries'];
for ($number = 0; $number < 1000; $number++) {
    $memory->set("key$number", $number);
    $outcomes[] = $memory->cas("key$number", 'gone', $memory->read("key$number")->version, 0.0);
    $memory->set("key$number", 'again');
    $outcomes[] = $memory->replace("key$number", 'gone', -1.0);
    $outcomes[] = $memory->set("key$number", 'gone', 0.0, $memory->getOrLease("key$number")->lease);
}
echo implode(' ', array_keys(array_count_values(array_column($outcomes, 'name')))), "\n";
var_dump($memory->info()['entries'] - $before, $memory->info()['leases']);
?>
--EXPECT--
Done
int(0)
int(0)
