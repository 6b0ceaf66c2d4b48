<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

/** Operations that find more in a trace of their system calls than how many there are. */
interface Traced
{
    /**
     * @param string $trace of strace; between two calls of getppid() by one process are its steps
     *
     * @return array<string, float> figures by name
     */
    public function figures(string $trace): array;
}
