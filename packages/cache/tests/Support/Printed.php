<?php

declare(strict_types=1);

namespace Larder\Tests\Support;

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
        do {
            $hasEnded = !$process->isRunning();
            $printed = $process->getOutput();
            if ($hasEnded && !str_contains($printed, $text)) {
                throw new RuntimeException("It ended before it printed \"$text\": {$process->getErrorOutput()}");
            }
            $process->checkTimeout();
            usleep(1000);
        } while (!str_contains($printed, $text));
    }
}
