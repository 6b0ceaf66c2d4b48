<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Client;

use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Objects;

/** Gives what was set before the last, which is another key's. */
final class Swapped implements Objects
{
    private mixed $before = null;
    private mixed $last = null;

    public function connect(Context $context): void {}

    public function close(): void {}

    public function setObject(string $key, mixed $value): void
    {
        $this->before = $this->last;
        $this->last = $value;
    }

    public function getObject(string $key): mixed
    {
        return $this->before;
    }

    public function getRepeatedly(string $key, int $times): mixed
    {
        $value = null;
        for ($time = 0; $time < $times; ++$time) {
            $value = $this->getObject($key);
        }

        return $value;
    }
}
