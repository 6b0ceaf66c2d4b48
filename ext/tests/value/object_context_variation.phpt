--TEST--
A set or get inside a class's serializing has its own context
--EXTENSIONS--
larder
--INI--
larder.share=1
larder.protect=read
error_reporting=E_ALL & ~E_DEPRECATED
--FILE--
<?php

declare(strict_types=1);

require __DIR__ . '/value.inc';

final class Nested implements Serializable
{
    public function __construct(public ?ArrayObject $part = null, public mixed $found = null) {}

    public function serialize(): string
    {
        (new Larder\SharedMemory())->set('part', [$this->part, 'plain', $this->part]);

        return serialize($this->part);
    }

    public function unserialize(string $bytes): void
    {
        $this->part = unserialize($bytes);
        $this->found = (new Larder\SharedMemory())->get('part');
    }

    public function __serialize(): array
    {
        return [$this->serialize()];
    }

    public function __unserialize(array $state): void
    {
        $this->unserialize($state[0]);
    }
}

final class Old implements Serializable
{
    public mixed $part = null;
    public mixed $found = null;

    public function serialize(): string
    {
        (new Larder\SharedMemory())->set('old', [$this->part, $this->part]);

        return serialize([$this->part, 5]);
    }

    public function unserialize(string $bytes): void
    {
        $this->found = (new Larder\SharedMemory())->get('old');
        $this->part = unserialize($bytes)[0];
    }
}

$part = new ArrayObject(['p']);
$found = again([$part, new Nested($part), $part]);
var_dump($found[0] === $found[2], $found[1]->part->getArrayCopy(), $found[1]->found[0] === $found[1]->found[2]);
$old = new Old();
$old->part = $part;
$found = unserialize(serialize([$part, $old, $part, 'last']));
var_dump(
    $found[1]->part === $found[0],
    $found[1]->found[0] === $found[1]->found[1],
    $found[1]->found[0]->getArrayCopy() === ['p'],
    $found[3],
);
$alone = (new Larder\SharedMemory())->get('old');
var_dump($alone[0] === $alone[1], $alone[0]->getArrayCopy() === ['p']);
$found = again([$part, $old, $part, 'last']);
var_dump(
    $found[1]->part === $found[0],
    $found[1]->found[0] === $found[1]->found[1],
    $found[1]->found[0]->getArrayCopy() === ['p'],
    $found[3],
);
?>
--EXPECT--
bool(true)
array(1) {
  [0]=>
  string(1) "p"
}
bool(true)
bool(true)
bool(true)
bool(true)
string(4) "last"
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
string(4) "last"
