<?php

declare(strict_types=1);

namespace Larder\Testbed\Process;

/** How a worker ended. */
final readonly class WorkerEnd
{
    public function __construct(
        public int $number,
        public int $life,
        /** True if the worker's function returned. */
        public bool $finished,
        /** What the function returned. */
        public mixed $result,
        /** Message and place of the exception that ended the worker. */
        public ?string $error,
        /** Code of an exit() inside the function. */
        public ?int $code,
        /** Signal that killed the worker. */
        public ?int $signal,
    ) {}

    /** Nothing but a SIGKILL ended it. */
    public function isKilled(): bool
    {
        return $this->signal === SIGKILL;
    }

    public function reason(): string
    {
        return match (true) {
            $this->finished => 'finished',
            $this->error !== null => 'failed: ' . $this->error,
            $this->signal !== null => 'died of signal ' . $this->signal,
            default => 'ended with code ' . $this->code,
        };
    }
}
