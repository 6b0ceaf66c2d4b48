<?php

declare(strict_types=1);

namespace Larder\Page\Lease;

use Larder\Sql\Exception\PageStoreFailed;

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

    /**
     * @param resource|null $file  locked
     * @param resource      $guard open
     */
    public function __construct(
        private mixed $file,
        private readonly string $path,
        private readonly mixed $guard,
    ) {}

    public function release(): void
    {
        if ($this->file === null) {
            return;
        }
        if (self::lock($this->guard)) {
            $own = fstat($this->file);
            clearstatcache(true, $this->path);
            if ($own !== false && @fileinode($this->path) === $own['ino']) {
                @unlink($this->path);
            }
            flock($this->guard, LOCK_UN);
        }
        fclose($this->file);
        $this->file = null;
    }

    /**
     * Locks the open guard.
     *
     * @param resource $guard
     *
     * @return bool false: another process held it all the time
     */
    public static function lock(mixed $guard): bool
    {
        for ($try = 0; $try < self::TRIES; ++$try) {
            if (flock($guard, LOCK_EX | LOCK_NB)) {
                return true;
            }
            usleep(self::PAUSE_MICROSECONDS);
        }

        return false;
    }

    /**
     * @return resource
     *
     * @throws PageStoreFailed
     */
    public static function open(string $path): mixed
    {
        $file = @fopen($path, 'ce');

        return $file !== false
            ? $file
            : throw PageStoreFailed::during('open the lease', $path, error_get_last()['message'] ?? 'unknown reason');
    }
}
