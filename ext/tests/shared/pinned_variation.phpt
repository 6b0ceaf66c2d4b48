--TEST--
While a request holds values, nothing it has read is overwritten: stores are refused instead
--EXTENSIONS--
larder
--INI--
larder.size=2M
larder.share=1
--FILE--
<?php
$memory = new Larder\SharedMemory();
$memory->set('held', array_fill(0, 1000, 'a string to be kept'));
$held = $memory->get('held');
$sum = md5(serialize($held));
$refused = 0;
for ($i = 0; $i < 3000; $i++) {
    $refused += $memory->set($i % 2 ? 'held' : "key $i", array_fill(0, 500, "other $i")) === Larder\Outcome::Refused
        ? 1
        : 0;
}
$info = $memory->info();
var_dump($refused > 100, $info['refusedFull'] === $refused, $info['bytesLimbo'] > 0, $sum === md5(serialize($held)));
usleep(20000);
$info = $memory->info();
var_dump($info['oldestPinAge'] > 0.01, $info['oldestPinProcess'] === getmypid());
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
