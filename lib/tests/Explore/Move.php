<?php

declare(strict_types=1);

namespace Larder\Tests\Explore;

use Stringable;

/** One entry of a schedule: what happened to which process. */
final readonly class Move implements Stringable
{
    public function __construct(
        public string $process,
        public Command $command,
        public string $step,
    ) {}

    public function __toString(): string
    {
        return implode(' ', array_filter([$this->process, $this->command->value, $this->step], static fn(string $word): bool => $word !== ''));
    }
}
