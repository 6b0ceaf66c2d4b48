--TEST--
What __unserialize throws makes a miss; the value stays
--EXTENSIONS--
larder
--INI--
larder.share=1
larder.protect=read
--FILE--
<?php

declare(strict_types=1);

require __DIR__ . '/value.inc';

final class Moody
{
    public static bool $bad = true;

    public function __serialize(): array
    {
        return ['kept'];
    }

    public function __unserialize(array $state): void
    {
        if (self::$bad) {
            throw new DomainException('in a bad mood');
        }
    }
}

for ($i = 0; $i < 2; $i++) {
    $found = again(['a' => [1, new Moody(), [2, new ArrayObject()]]]);
    echo get_debug_type($found['a'][1] ?? null), "\n";
    Moody::$bad = false;
}
?>
--EXPECT--
null
Moody
