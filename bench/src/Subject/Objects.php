<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

/** The client serializes by itself ("native"); "direct" is a KeyValue that is given what an Encoder made. */
interface Objects extends Subject
{
    public function setObject(string $key, mixed $value): void;

    /** Null: not there. */
    public function getObject(string $key): mixed;

    /**
     * Repeats a get in a loop with nothing else in it: a store inside the process takes less time for one than the call
     * of a PHP method that would measure it, and a client held against it must not pay for that call either.
     *
     * @param string $key   that is there
     * @param int    $times at least 1
     *
     * @return mixed what came last
     */
    public function getRepeatedly(string $key, int $times): mixed;
}
