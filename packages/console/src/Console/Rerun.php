<?php

declare(strict_types=1);

namespace Larder\Console;

/** @internal Runs this program again, with the same arguments and streams and other settings of php.ini. */
final readonly class Rerun
{
    private const MARK = 'LARDER_RERUN';

    /**
     * @param array<string, string> $settings without single quotes
     *
     * @return int its exit code
     *
     * @throws Refused if no process can be started, or if this is such a process and PHP did not take the settings
     */
    public static function with(array $settings): int
    {
        $command = self::php();
        foreach ($settings as $name => $value) {
            array_push($command, '-d', "$name='$value'");
        }
        array_push($command, ...self::arguments());
        $shown = implode(' ', array_map(escapeshellarg(...), $command));
        if (getenv(self::MARK) !== false) {
            throw Refused::because(
                "This PHP does not take its settings from the command line. It was started as: $shown",
            );
        }
        $process = @proc_open($command, [STDIN, STDOUT, STDERR], $pipes, null, [self::MARK => '1'] + getenv());

        return \is_resource($process)
            ? proc_close($process)
            : throw Refused::because("No process can be started here; run this yourself: $shown");
    }

    /** @return list<string> the program's name and its arguments */
    public static function arguments(): array
    {
        $arguments = $_SERVER['argv'] ?? null;

        return \is_array($arguments) ? array_values(array_filter($arguments, \is_string(...))) : [];
    }

    /** @return non-empty-list<string> this PHP with its options, where /proc shows them */
    public static function php(): array
    {
        $words = explode("\0", substr((string) @file_get_contents('/proc/self/cmdline'), 0, -1));
        $own = \count($words) - \count(self::arguments());

        return $own > 0 && \array_slice($words, $own) === self::arguments()
            ? [PHP_BINARY, ...\array_slice($words, 1, $own - 1)]
            : [PHP_BINARY];
    }
}
