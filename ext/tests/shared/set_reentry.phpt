--TEST--
set: a __serialize that uses the store, the same key included
--EXTENSIONS--
larder
--FILE--
<?php
final class Reenters
{
    public function __serialize(): array
    {
        global $memory;
        $memory->set('key', 'from within');
        $memory->set('other', [$memory->get('key')]);
        return ['seen' => $memory->get('other')];
    }

    public function __unserialize(array $data): void
    {
        global $memory;
        $memory->delete('key');
        $memory->set('key', 'after');
        echo json_encode($data + $memory->get('other') + $memory->getMultiple(['key'])), "\n";
    }
}

$memory = new Larder\SharedMemory();
var_dump($memory->set('key', ['before', new Reenters(), 'behind']));
$value = $memory->get('key');
var_dump($value[0], $value[1]::class, $value[2], $memory->get('key'));
var_dump($memory->info()['mode'] === 'share' || $memory->info()['oldestPinAge'] === 0.0);
?>
--EXPECT--
enum(Larder\Outcome::Done)
{"seen":["from within"],"0":"from within","key":"after"}
string(6) "before"
string(8) "Reenters"
string(6) "behind"
string(5) "after"
bool(true)
