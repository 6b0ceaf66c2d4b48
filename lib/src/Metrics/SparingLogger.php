<?php

declare(strict_types=1);

namespace Larder\Metrics;

use Larder\SystemClock;
use Psr\Clock\ClockInterface;
use Psr\Log\AbstractLogger;
use Psr\Log\LoggerInterface;
use Stringable;

/**
 * Passes each kind of message on once a second for all processes of one user on this host; the next one that passes
 * says how many were held back. A kind is a level and a message without what its placeholders stand for.
 *
 * A server that is gone fails every request: without this a log grows by all of them, and php-fpm, which forgets
 * everything between two requests, cannot keep count in memory. So the count lies in files: the process that creates
 * the file of a kind and a second passes, each other one adds a byte to it. No process waits for another. Where that
 * fails, everything passes.
 */
final class SparingLogger extends AbstractLogger
{
    /**
     * Of hexadecimal digits: so messages with values in them, each a kind of its own, cannot leave files behind without
     * end.
     */
    private const KIND = 4;

    private readonly string $directory;

    /**
     * @param string|null $directory where the files lie: the caller's own and nobody else's, made where it is missing;
     *     anything else is not used. Null: one for this user among the system's temporary files
     * @param float       $seconds   between two of a kind
     */
    public function __construct(
        private readonly LoggerInterface $log,
        ?string $directory = null,
        private readonly float $seconds = 1.0,
        private readonly ClockInterface $clock = new SystemClock(),
    ) {
        $this->directory = $directory ?? sys_get_temp_dir() . '/larder-log-' . posix_geteuid();
    }

    /**
     * @param mixed        $level
     * @param array<mixed> $context
     */
    public function log($level, string|Stringable $message, array $context = []): void
    {
        $message = (string) $message;
        $kind = substr(
            hash('sha256', serialize([\is_scalar($level) ? $level : get_debug_type($level), $message])),
            0,
            self::KIND,
        );
        $held = $this->isOurs() ? $this->pass($kind) : 0;
        if ($held === null) {
            return;
        }
        if ($held > 0) {
            $message .= ' ({held_back} more of this kind were held back.)';
            $context['held_back'] = $held;
        }
        $this->log->log($level, $message, $context);
    }

    /** @return int|null how many were held back before this one; null: it is held back itself */
    private function pass(string $kind): ?int
    {
        $window = (int) floor((float) $this->clock->now()->format('U.u') / $this->seconds);
        $mark = $this->mark($kind, $window);
        clearstatcache(true, $mark);
        if (is_link($mark)) {
            return 0;
        }
        // Asked first, since a warning for each message held back would be told to the application's error handler.
        $created = is_file($mark) ? false : @fopen($mark, 'xe');
        if ($created !== false) {
            fclose($created);

            return $this->heldBefore($kind, $window);
        }
        $added = @file_put_contents($mark, '.', FILE_APPEND);

        return $added === 1 ? null : 0;
    }

    /** Empties the file of the window before, which must stay for those who are late, and takes away all others. */
    private function heldBefore(string $kind, int $window): int
    {
        $held = 0;
        $names = scandir($this->directory);
        foreach ($names === false ? [] : $names as $name) {
            $path = $this->directory . '/' . $name;
            if (!str_starts_with($name, $kind . '.') || $path === $this->mark($kind, $window)) {
                continue;
            }
            clearstatcache(true, $path);
            $held += (int) @filesize($path);
            if ($path === $this->mark($kind, $window - 1)) {
                @file_put_contents($path, '');
            } else {
                @unlink($path);
            }
        }

        return $held;
    }

    private function mark(string $kind, int $window): string
    {
        return "$this->directory/$kind.$window";
    }

    /** In a directory that another user could write to, a link of his would have us write to whatever he likes. */
    private function isOurs(): bool
    {
        clearstatcache(true, $this->directory);
        $found = @lstat($this->directory);
        if ($found === false) {
            @mkdir($this->directory, 0700, true);
            clearstatcache(true, $this->directory);
            $found = @lstat($this->directory);
        }

        return $found !== false
            && ($found['mode'] & 0170000) === 0040000
            && $found['uid'] === posix_geteuid()
            && ($found['mode'] & 0022) === 0;
    }
}
