--TEST--
There are as many namespaces as there are names, and none leaves anything behind
--EXTENSIONS--
larder
--INI--
larder.size=2M
--FILE--
<?php
$done = 0;
for ($i = 0; $i < 100_000; $i++) {
    $memory = new Larder\SharedMemory("space $i");
    $memory->set('key', $i);
    $done += $memory->get('key') === $i ? 1 : 0;
    $memory->clear();
    $done -= $memory->has('key') ? 1 : 0;
    if ($i === 2000) {
        $used = $memory->info()['bytesUsed'];
        // A clear looks at all that there is: the rest by delete().
        break;
    }
}
for (; $i < 100_000; $i++) {
    $memory = new Larder\SharedMemory("space $i");
    $memory->set('key', $i);
    $done += $memory->get('key') === $i && $memory->delete('key') === Larder\Outcome::Done ? 1 : 0;
}
var_dump($done, $used, $memory->info()['bytesUsed'], $memory->info()['evictions']);
?>
--EXPECT--
int(100001)
int(0)
int(0)
int(0)
