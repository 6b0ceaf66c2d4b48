<?php

declare(strict_types=1);

namespace Larder\Lease;

/**
 * A lease among the processes of one user on one host, for when no server gives one: a locked file. The kernel unlocks
 * it when the holder ends, however it ends.
 *
 * A file beside it keeps what was made last. It is given only to those that asked before its maker began, so nobody
 * gets anything older than what it would make itself.
 *
 * @internal
 */
final class LocalLease
{
    /** Monotonic nanoseconds at which the maker began; what it made comes after it. */
    private const BEGUN = 'J';
    private const BEGUN_BYTES = 8;

    /** A file that was not written for so many seconds is removed, at one of so many takes. */
    private const KEPT = 3600;
    private const SWEEP = 64;

    /** @var resource|null locked, while this process holds the lease */
    private $file = null;

    private int $begun = 0;

    private function __construct(private readonly string $path) {}

    /**
     * @param string|null $below null: the system's directory for temporary files
     *
     * @return self|null null: this host has no directory that this user alone may write to
     */
    public static function named(string $name, ?string $below = null): ?self
    {
        $directory = LocalDirectory::of($below);

        return $directory === null ? null : new self($directory . '/' . hash('sha256', $name));
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
        $made = $this->made($since);
        if ($made !== null) {
            return $made;
        }
        $file = @fopen($this->path, 'ce');
        if ($file === false) {
            return null;
        }
        if (!flock($file, LOCK_EX | LOCK_NB, $isHeld)) {
            $this->expire($seconds);

            return $isHeld === 1 ? false : null;
        }
        // The holder before may have ended just now.
        $made = $this->made($since);
        if ($made !== null) {
            return $made;
        }
        // Notes the time in this very file. Who came before that may have taken the name from it, as from one that was
        // held for too long.
        fwrite($file, '.');
        clearstatcache(true, $this->path);
        [$own, $named] = [fstat($file), @stat($this->path)];
        if ($own === false || $named === false || $own['ino'] !== $named['ino']) {
            return false;
        }
        $this->file = $file;
        $this->begun = (int) hrtime(true);
        if (random_int(1, self::SWEEP) === 1) {
            $this->sweep();
        }

        return true;
    }

    /** Keeps what the holder made for those that wait. */
    public function leave(string $made): void
    {
        $new = $this->path . '.' . getmypid();
        $content = pack(self::BEGUN, $this->begun) . $made;
        if ($this->file === null || @file_put_contents($new, $content) !== \strlen($content)) {
            @unlink($new);
        } else {
            rename($new, $this->path . '.made');
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

    private function made(int $since): ?string
    {
        $content = (string) @file_get_contents($this->path . '.made');
        $begun = \strlen($content) < self::BEGUN_BYTES ? false : unpack(self::BEGUN, $content);

        return $begun !== false && $begun[1] > $since ? substr($content, self::BEGUN_BYTES) : null;
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
