<?php

declare(strict_types=1);

namespace Larder\Lease;

/**
 * A lease among the processes of one user on one host, for when no server gives one: a locked file. The kernel unlocks
 * it when the holder ends, however it ends.
 *
 * The file also keeps what the last holder made. It is given only to those that asked before that holder began, so
 * nobody gets anything older than what it would make itself.
 *
 * @internal
 */
final class LocalLease
{
    /** Monotonic nanoseconds at which the holder began, and the bytes of what it made: 0 until it has made it. */
    private const HEADER = 'J2';
    private const HEADER_BYTES = 16;

    /** A file of which nothing was heard for so many seconds is removed, at one of so many takes. */
    private const KEPT = 3600;
    private const SWEEP = 64;

    /** @var resource|null locked, while this process holds the lease */
    private $file = null;

    private int $begun = 0;

    private function __construct(private readonly string $path) {}

    /**
     * @param string|null $below null: the system's directory for temporary files
     *
     * @return self|null null: this host has no directory that this user alone may use
     */
    public static function named(string $name, ?string $below = null): ?self
    {
        $user = posix_geteuid();
        $directory = ($below ?? sys_get_temp_dir()) . '/larder-' . $user;
        if (!is_dir($directory)) {
            @mkdir($directory, 0o700);
        }
        $status = @lstat($directory);
        $isOwn = $status !== false && $status['uid'] === $user && ($status['mode'] & 0o170077) === 0o040000;

        return $isOwn ? new self($directory . '/' . hash('sha256', $name)) : null;
    }

    /**
     * @param int   $since   monotonic nanoseconds at which the caller asked
     * @param float $seconds after which a holder that lives loses the lease
     *
     * @return string|bool|null string: what a holder made that began after $since; true: the caller has the lease;
     *     false: another process has it; null: it cannot be had here
     */
    public function take(int $since, float $seconds): string|bool|null
    {
        $file = @fopen($this->path, 'c+e');
        if ($file === false) {
            return null;
        }
        foreach ([LOCK_SH, LOCK_EX] as $lock) {
            if (!flock($file, $lock | LOCK_NB, $isHeld)) {
                $this->expire($seconds);

                return $isHeld === 1 ? false : null;
            }
            $made = self::read($file, $since);
            if ($made !== null) {
                return $made;
            }
        }
        $this->begun = (int) hrtime(true);
        if (!ftruncate($file, 0) || !$this->writeHeader($file, 0)) {
            return null;
        }
        $this->file = $file;
        if (random_int(1, self::SWEEP) === 1) {
            $this->sweep();
        }

        return true;
    }

    /** Keeps what the holder made for those that wait. */
    public function leave(string $made): void
    {
        if ($this->file === null || $made === '') {
            return;
        }
        // The header comes last, so that half of a text is none.
        $isWritten = fseek($this->file, self::HEADER_BYTES) === 0
            && @fwrite($this->file, $made) === \strlen($made)
            && fflush($this->file);
        if ($isWritten) {
            $this->writeHeader($this->file, \strlen($made));
        }
    }

    public function release(): void
    {
        if ($this->file !== null) {
            // A child of this process may have the file open too.
            flock($this->file, LOCK_UN);
            fclose($this->file);
            $this->file = null;
        }
    }

    /** @param resource $file */
    private function writeHeader($file, int $bytes): bool
    {
        return rewind($file)
            && @fwrite($file, pack(self::HEADER, $this->begun, $bytes)) === self::HEADER_BYTES
            && fflush($file);
    }

    /** @param resource $file */
    private static function read($file, int $since): ?string
    {
        rewind($file);
        $header = (string) stream_get_contents($file, self::HEADER_BYTES);
        if (\strlen($header) < self::HEADER_BYTES) {
            return null;
        }
        /** @var array{1: int, 2: int} $numbers */
        $numbers = unpack(self::HEADER, $header);
        [1 => $begun, 2 => $bytes] = $numbers;

        return $begun > $since && $bytes > 0 ? (string) stream_get_contents($file, $bytes) : null;
    }

    /** Takes the name from a file whose holder has had it for too long: the next comer locks a new one. */
    private function expire(float $seconds): void
    {
        clearstatcache(true, $this->path);
        $since = @filemtime($this->path);
        if ($since !== false && time() - $since > $seconds) {
            @unlink($this->path);
        }
    }

    private function sweep(): void
    {
        foreach ((array) glob(\dirname($this->path) . '/*') as $path) {
            $since = @filemtime((string) $path);
            if ($since !== false && time() - $since > self::KEPT) {
                @unlink((string) $path);
            }
        }
    }
}
