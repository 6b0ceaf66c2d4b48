<?php

declare(strict_types=1);

namespace Larder\Exception;

use RuntimeException;

/** A file of the page store could not be written, moved or removed. */
final class PageStoreFailed extends RuntimeException implements LarderException
{
    private function __construct(
        string $message,
        /** The system's words, such as "No space left on device", without a path. */
        public readonly string $cause,
    ) {
        parent::__construct($message);
    }

    public static function elsewhere(): self
    {
        return new self(
            'This database has the ledger of a site with pages, and SqlLedger::forValues() does not know where they '
                . 'lie: use Pages::of($site)->versions().',
            'the pages lie elsewhere',
        );
    }

    public static function during(string $step, string $path, string $reason): self
    {
        $found = preg_match('~^(?:.*(?:errno=\d+ |: ))?([^:/]+)$~Ds', $reason, $words) === 1;
        $cause = $found ? $words[1] : 'unknown reason';
        $remedy = match ($cause) {
            'Permission denied', 'Operation not permitted' => self::whose($path),
            'No space left on device' => '. Make its file system larger, or Site::$bytes smaller',
            default => '',
        };

        return new self(\sprintf('The page store failed to %s %s: %s%s', $step, $path, $reason, $remedy), $cause);
    }

    private static function whose(string $path): string
    {
        $directory = \dirname($path);
        while (!is_dir($directory) && $directory !== \dirname($directory)) {
            $directory = \dirname($directory);
        }
        $owner = self::nameOf((int) @fileowner($directory));
        $self = self::nameOf(posix_geteuid());

        return $owner === $self
            ? ''
            : ". $directory belongs to $owner and this process is $self: run it as $owner, or give the directory to "
                . $self;
    }

    private static function nameOf(int $user): string
    {
        $entry = posix_getpwuid($user);

        return $entry === false ? (string) $user : $entry['name'];
    }
}
