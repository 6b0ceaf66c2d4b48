<?php

declare(strict_types=1);

namespace Larder\Console;

/** @internal A command that an administrator gave, run by the shell. */
final readonly class ShellCommand
{
    /** Seconds that it may take. */
    private const PATIENCE = 20;

    /** @return string|null why it failed, in one line; null: it succeeded */
    public static function run(string $command): ?string
    {
        // A file, since what the command leaves running would keep a pipe open.
        $said = tmpfile();
        $words = ['timeout', '-k', '1', (string) self::PATIENCE, 'sh', '-c', $command];
        $process = $said === false ? false : @proc_open($words, [['file', '/dev/null', 'r'], $said, $said], $pipes);
        if ($said === false || $process === false) {
            return "\"$command\" cannot be started";
        }
        $code = proc_close($process);
        rewind($said);
        $shown = trim((string) preg_replace('/\s+/', ' ', (string) stream_get_contents($said)));

        return match (true) {
            $code === 0 => null,
            $code === 124, $code === 137 => \sprintf('"%s" has not ended in %d s', $command, self::PATIENCE),
            default => \sprintf('"%s" failed with %d%s', $command, $code, $shown === '' ? '' : ': ' . $shown),
        };
    }
}
