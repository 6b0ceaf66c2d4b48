--TEST--
getMultiple: user code that runs in the middle changes the list by reference
--EXTENSIONS--
larder
--FILE--
<?php
final class Meddler
{
    public function __serialize(): array
    {
        return [];
    }

    public function __unserialize(array $data): void
    {
        global $second, $third;
        $second = str_repeat('x', 2000);
        $third = new ArrayObject();
    }
}

$memory = new Larder\SharedMemory();
$memory->setMultiple(['meddler' => [new Meddler()], 'second' => 2, 'third' => 3]);
$first = 'mead';
$first = 'meddler';
$second = 'second';
$third = 'third';
try {
    $memory->getMultiple([&$first, &$second, &$third]);
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}
var_dump($memory->info()['oldestPinAge'] === 0.0 || $memory->info()['mode'] === 'share');
?>
--EXPECT--
Object of class ArrayObject could not be converted to string
bool(true)
