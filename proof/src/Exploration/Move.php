<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Stringable;

/** One entry of a schedule: what happened to which process. */
final readonly class Move implements Stringable
{
    public function __construct(
        public string $process,
        public Event $event,
        public string $step,
    ) {}

    public function __toString(): string
    {
        return implode(
            ' ',
            array_filter(
                [$this->process, $this->event->value, $this->step],
                static fn(string $word): bool => $word !== '',
            ),
        );
    }
}
