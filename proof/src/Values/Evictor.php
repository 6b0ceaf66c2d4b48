<?php

declare(strict_types=1);

namespace Larder\Proof\Values;

/** Deletes items that no process knows of, as an eviction does, and rarely all of them. */
final readonly class Evictor
{
    /** Microseconds between two items at most; more where what is looked for is an item that came back. */
    private const PAUSE = 6_000;
    private const LONG = 20 * self::PAUSE;

    public function __construct(private Trial $trial, private int $worker) {}

    public function work(): void
    {
        $store = $this->trial->store->open($this->worker % 2);
        while (!$this->trial->isOver()) {
            $row = mt_rand(0, $this->trial->commits->rows - 1);
            match (mt_rand(1, 40)) {
                1 => $store->clear(),
                2, 3 => $store->delete("\0c"),
                4, 5, 6 => $store->delete("\0vitem!"),
                7 => $store->delete("known $row"),
                default => $store->delete("\0vitem:$row"),
            };
            $this->trial->count(ValueCount::Losses, $this->worker);
            usleep(mt_rand(0, $this->trial->mode->goesBack() ? self::LONG : self::PAUSE));
        }
    }
}
