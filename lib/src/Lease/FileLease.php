<?php

declare(strict_types=1);

namespace Larder\Lease;

/**
 * A locked file. It is removed under the directory's guard, a file that each process locks for microseconds, so that
 * nobody locks a file that is being removed.
 *
 * @internal
 */
final class FileLease implements Lease
{
    /** Together 20 ms. */
    private const TRIES = 40;
    private const PAUSE_MICROSECONDS = 500;

    /** @param resource|null $file locked */
    public function __construct(
        private mixed $file,
        private readonly string $path,
        private readonly string $guard,
    ) {}

    public function release(): void
    {
        if ($this->file === null) {
            return;
        }
        $guard = self::lockGuard($this->guard);
        if ($guard !== null) {
            $own = fstat($this->file);
            clearstatcache(true, $this->path);
            if ($own !== false && @fileinode($this->path) === $own['ino']) {
                @unlink($this->path);
            }
            fclose($guard);
        }
        fclose($this->file);
        $this->file = null;
    }

    /** @return resource|null the locked guard; null: another process held it all the time */
    public static function lockGuard(string $path): mixed
    {
        $guard = @fopen($path, 'ce');
        for ($try = 0; $guard !== false && $try < self::TRIES; ++$try) {
            if (flock($guard, LOCK_EX | LOCK_NB)) {
                return $guard;
            }
            usleep(self::PAUSE_MICROSECONDS);
        }

        return null;
    }
}
