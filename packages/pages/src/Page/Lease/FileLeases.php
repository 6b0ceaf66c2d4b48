<?php

declare(strict_types=1);

namespace Larder\Page\Lease;

use Larder\Sql\Exception\PageStoreFailed;

/**
 * Leases of one host: a locked file each. It is removed under the directory's guard, a file that each process locks for
 * microseconds, so that nobody locks a file that is being removed.
 *
 * The kernel drops flock(2) when the holder ends, so a dead renderer's lease is free at once. One that hangs loses it
 * after $seconds: the next comer removes the file's name, under a lock of the directory, and locks a new file.
 *
 * @internal
 */
final readonly class FileLeases implements Leases
{
    /** Of the directory: flock(2) needs no right to write, so nobody else may come to the files. */
    private const MODE = 0o700;
    private const OTHERS = 0o077;
    private const PASSES_GROUP = 0o2000;

    /** Together 20 ms. */
    private const TRIES = 40;
    private const PAUSE_MICROSECONDS = 500;

    /** @param positive-int $seconds after which a holder that lives loses its lease */
    public function __construct(
        private string $directory,
        private int $seconds,
    ) {}

    public function acquire(string $name): ?Lease
    {
        $mode = @fileperms($this->directory);
        if ($mode === false) {
            @mkdir($this->directory, self::MODE, true);
        } elseif (($mode & self::OTHERS) !== 0) {
            @chmod($this->directory, self::MODE | ($mode & self::PASSES_GROUP));
        }
        $path = $this->directory . '/' . sha1($name);
        $guard = self::open($this->directory . '/guard');
        if (!self::lock($guard)) {
            return null;
        }
        try {
            clearstatcache(true, $path);
            $since = @filemtime($path);
            if ($since !== false && time() - $since > $this->seconds) {
                @unlink($path);
                $since = false;
            }
            $file = self::open($path);
            if (!flock($file, LOCK_EX | LOCK_NB)) {
                return null;
            }
            if ($since !== false) {
                touch($path);
            }

            return new Lease(static fn() => self::remove($file, $path, $guard));
        } finally {
            flock($guard, LOCK_UN);
        }
    }

    /**
     * @param resource $file  locked
     * @param resource $guard open
     */
    private static function remove(mixed $file, string $path, mixed $guard): void
    {
        if (self::lock($guard)) {
            $own = fstat($file);
            clearstatcache(true, $path);
            if ($own !== false && @fileinode($path) === $own['ino']) {
                @unlink($path);
            }
            flock($guard, LOCK_UN);
        }
        fclose($file);
    }

    /**
     * Locks the open guard.
     *
     * @param resource $guard
     *
     * @return bool false: another process held it all the time
     */
    private static function lock(mixed $guard): bool
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
    private static function open(string $path): mixed
    {
        $file = @fopen($path, 'ce');

        return $file !== false
            ? $file
            : throw PageStoreFailed::during('open the lease', $path, error_get_last()['message'] ?? 'unknown reason');
    }
}
