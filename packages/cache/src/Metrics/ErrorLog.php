<?php

declare(strict_types=1);

namespace Larder\Metrics;

use Psr\Log\AbstractLogger;
use Stringable;

/** @internal Writes each message as one line to the log that `error_log` in php.ini names, placeholders filled in. */
final class ErrorLog extends AbstractLogger
{
    /**
     * @param mixed        $level
     * @param array<mixed> $context
     */
    public function log($level, string|Stringable $message, array $context = []): void
    {
        error_log(\sprintf('Larder %s: %s', \is_string($level) ? $level : '', self::line($message, $context)));
    }

    /**
     * The message on one line, placeholders filled in.
     *
     * @param array<mixed> $context
     */
    public static function line(string|Stringable $message, array $context): string
    {
        $values = [];
        foreach ($context as $name => $value) {
            if (\is_scalar($value) || $value instanceof Stringable) {
                $values['{' . $name . '}'] = (string) $value;
            }
        }

        return Printable::line(strtr((string) $message, $values));
    }
}
