<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

/** A store that knows what it holds and what that takes. */
interface Weighing extends Subject
{
    public function entries(): int;

    /** Bytes of the memory that are not free. */
    public function bytesTaken(): int;

    /** Bytes that it says its entries have, what lies between them not counted. */
    public function bytesOfEntries(): int;

    /** How often it had to make room. */
    public function dropped(): int;

    /** What it does then: "evictions". */
    public function drops(): string;
}
