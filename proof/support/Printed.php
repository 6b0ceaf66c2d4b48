<?php

declare(strict_types=1);

namespace Larder\Proof\Support;

use RuntimeException;
use Symfony\Component\Process\Process;

/** Waits for what a started process prints. */
final class Printed
{
    /**
     * Process::waitUntil() shows its callback only what comes after the call: on a busy machine the process may have
     * printed before that.
     *
     * @throws RuntimeException when it ended without
     */
    public static function wait(Process $process, string $text): void
    {
        while (!str_contains($process->getOutput(), $text)) {
            if (!$process->isRunning() && !str_contains($process->getOutput(), $text)) {
                throw new RuntimeException("The process ended before it printed \"$text\": {$process->getErrorOutput()}");
            }
            $process->checkTimeout();
            usleep(1000);
        }
    }
}
