<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

/**
 * A store inside the process, whose get takes less time than the call of a PHP method that would measure it: it repeats the get
 * by itself, in a loop with nothing else in it.
 */
interface Repeating extends Objects
{
    /**
     * @param string $key   that is there
     * @param int    $times at least 1
     *
     * @return mixed what came last
     */
    public function getRepeatedly(string $key, int $times): mixed;
}
