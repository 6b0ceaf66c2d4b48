<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

/** A class as an attacker looks for it: its own code runs when an object of it is made, and when it goes. */
final class Gadget
{
    /** @var list<string> */
    public static array $ran = [];

    public string $command = 'id';

    public function __wakeup(): void
    {
        self::$ran[] = 'woken';
    }

    public function __destruct()
    {
        self::$ran[] = 'gone';
    }
}
