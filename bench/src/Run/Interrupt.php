<?php

declare(strict_types=1);

namespace Larder\Bench\Run;

/** Ctrl-C and SIGTERM, noted: the run ends after tidying up, with a valid partial result. */
final class Interrupt
{
    private ?int $signal = null;

    public function listen(): void
    {
        pcntl_async_signals(true);
        foreach ([SIGINT, SIGTERM, SIGHUP] as $signal) {
            pcntl_signal($signal, function (int $signal): void {
                $this->signal = $signal;
            }, false);
        }
    }

    public function came(): bool
    {
        return $this->signal !== null;
    }

    public function exitCode(): int
    {
        return 128 + ($this->signal ?? 0);
    }
}
