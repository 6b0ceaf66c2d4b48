<?php

declare(strict_types=1);

namespace Larder\Page\Lease;

/**
 * Leases of one host: a locked file each.
 *
 * The kernel drops flock(2) when the holder ends, so a dead renderer's lease is free at once. One that hangs loses it
 * after $seconds: the next comer removes the file's name, under a lock of the directory, and locks a new file.
 *
 * @internal
 */
final readonly class FileLeases implements Leases
{
    /** @param positive-int $seconds after which a holder that lives loses its lease */
    public function __construct(
        private string $directory,
        private int $seconds,
    ) {}

    public function acquire(string $name): ?Lease
    {
        if (!is_dir($this->directory)) {
            @mkdir($this->directory, 0o755, true);
        }
        $path = $this->directory . '/' . sha1($name);
        $guard = FileLease::open($this->directory . '/guard');
        if (!FileLease::lock($guard)) {
            return null;
        }
        try {
            clearstatcache(true, $path);
            $since = @filemtime($path);
            if ($since !== false && time() - $since > $this->seconds) {
                @unlink($path);
                $since = false;
            }
            $file = FileLease::open($path);
            if (!flock($file, LOCK_EX | LOCK_NB)) {
                return null;
            }
            if ($since !== false) {
                touch($path);
            }

            return new FileLease($file, $path, $guard);
        } finally {
            flock($guard, LOCK_UN);
        }
    }
}
