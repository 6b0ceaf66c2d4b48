--TEST--
A key is any bytes
--EXTENSIONS--
larder
--FILE--
<?php
$memory = new Larder\SharedMemory();
$long = str_repeat('k', 1023);
$keys = ["\0", "a\0b", "a\0c", 'a', "\xff\xfe", ' ', '0', '00', 'é', $long, $long . 'a', $long . 'b', "\n"];
foreach ($keys as $number => $key) {
    $memory->set($key, "value $number");
}
foreach ($keys as $number => $key) {
    if ($memory->get($key) !== "value $number") {
        echo 'lost: ', bin2hex($key), "\n";
    }
}
var_dump(strlen($keys[11]), count($memory->entries()['entries']) === count($keys));
?>
--EXPECT--
int(1024)
bool(true)
