<?php

declare(strict_types=1);

namespace Larder\Metrics;

use Larder\SystemClock;
use Psr\Clock\ClockInterface;
use Psr\Log\AbstractLogger;
use Psr\Log\LoggerInterface;
use Stringable;

/**
 * Passes on one message a minute of each kind, for all processes of one user on this host. The next one that is passed
 * on says how many were held back. A kind is a level and a cause: the context's `cause`, and without one the message
 * before its placeholders are filled in. Where it writes to PHP's error_log, that file is a part of the kind too: two
 * sites of one user have a log each, and one must not keep the other silent.
 *
 * Without arguments it is what Larder writes to where it is given no logger: PHP's error_log. Who wants no log at all
 * gives a Psr\Log\NullLogger.
 *
 * When a server is gone every request fails, and each would write a line. php-fpm forgets everything between two
 * requests, so the count cannot be in memory; it is in files. The process that creates the file of a kind and a minute
 * passes its message on, every other one adds a byte to the file. No process waits for another. Where that fails, every
 * message is passed on.
 */
final class SparingLogger extends AbstractLogger
{
    /**
     * Hexadecimal digits of a kind's hash. So few that messages with values in them, each of which is another kind,
     * cannot leave any number of files behind.
     */
    private const KIND = 4;

    private readonly string $directory;

    /**
     * @param string|null $directory where the files lie: it must belong to the caller alone, and is made where it is
     *     missing; any other is not used. Null: one for this user among the system's temporary files
     * @param float       $seconds   between two messages of a kind
     */
    public function __construct(
        private readonly LoggerInterface $log = new ErrorLog(),
        ?string $directory = null,
        private readonly float $seconds = 60.0,
        private readonly ClockInterface $clock = new SystemClock(),
    ) {
        $this->directory = $directory ?? sys_get_temp_dir() . '/larder-log-' . self::user();
    }

    /**
     * @param mixed        $level
     * @param array<mixed> $context
     */
    public function log($level, string|Stringable $message, array $context = []): void
    {
        $message = (string) $message;
        $cause = \is_string($context['cause'] ?? null) ? $context['cause'] : $message;
        $kind = substr(
            hash('sha256', serialize([\is_scalar($level) ? $level : get_debug_type($level), $cause, $this->file()])),
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

    /** PHP's error_log, if that is where this writes. */
    private function file(): string
    {
        $file = $this->log instanceof ErrorLog ? (string) \ini_get('error_log') : '';

        return $file === '' || $file === 'syslog' ? $file : realpath(\dirname($file)) . '/' . basename($file);
    }

    /** @return int|null how many were held back before this one; null: this one is held back too */
    private function pass(string $kind): ?int
    {
        $window = (int) floor((float) $this->clock->now()->format('U.u') / $this->seconds);
        $mark = $this->mark($kind, $window);
        clearstatcache(true, $mark);
        if (is_link($mark)) {
            return 0;
        }
        // is_file() comes first, since each failing fopen() would call the application's error handler with a warning.
        $created = is_file($mark) ? false : @fopen($mark, 'xe');
        if ($created !== false) {
            fclose($created);

            return $this->heldBefore($kind, $window);
        }
        $added = @file_put_contents($mark, '.', FILE_APPEND);

        // On a full disk the mark is there and takes no byte: only the count is lost.
        return $added === 1 || is_file($mark) ? null : 0;
    }

    /** Empties the file of the window before, which must stay for late processes, and removes all older ones. */
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

    /** If another user could write to the directory, a link there could make this process write to any file. */
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
            && $found['uid'] === self::user()
            && ($found['mode'] & 0022) === 0;
    }

    /** A log must not fail: without the extension posix it only cannot hold anything back. */
    private static function user(): int
    {
        return \function_exists('posix_geteuid') ? posix_geteuid() : -1;
    }
}
