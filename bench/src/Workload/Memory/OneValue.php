<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Repeating;

/**
 * A store with values of one kind: two of these stand in one chart, so that what a get of each takes is compared block
 * by block.
 */
final readonly class OneValue implements Repeating
{
    public function __construct(
        private Repeating $store,
        public Value $value,
    ) {}

    public function connect(Context $context): void
    {
        $this->store->connect($context);
    }

    public function close(): void
    {
        $this->store->close();
    }

    public function setObject(string $key, mixed $value): void
    {
        $this->store->setObject($key, $value);
    }

    public function getObject(string $key): mixed
    {
        return $this->store->getObject($key);
    }

    public function getRepeatedly(string $key, int $times): mixed
    {
        return $this->store->getRepeatedly($key, $times);
    }
}
