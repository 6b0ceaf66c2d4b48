<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

use RuntimeException;

final class ServerFailed extends RuntimeException
{
    private function __construct(
        string $message,
        public readonly bool $portTaken = false,
    ) {
        parent::__construct($message);
    }

    public static function missing(string $program, string $package): self
    {
        return new self(
            \sprintf(
                '%s is not installed; on Debian it is in the package %s: apt-get install %s',
                $program,
                $package,
                $package,
            ),
        );
    }

    public static function portTaken(string $program): self
    {
        return new self(\sprintf('%s found its port taken by another process', $program), true);
    }

    public static function ended(string $program, string $log): self
    {
        return new self(\sprintf('%s ended instead of starting. Its last words: %s', $program, self::lastWords($log)));
    }

    public static function late(string $program, float $seconds, string $log): self
    {
        return new self(
            \sprintf('%s was not ready after %.1f s. Its last words: %s', $program, $seconds, self::lastWords($log)),
        );
    }

    public static function because(string $reason): self
    {
        return new self($reason);
    }

    private static function lastWords(string $log): string
    {
        $words = trim((string) @file_get_contents($log, false, null, max(0, (int) @filesize($log) - 2000)));

        return $words === '' ? '(none)' : $words;
    }
}
