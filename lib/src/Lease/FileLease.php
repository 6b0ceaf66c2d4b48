<?php

declare(strict_types=1);

namespace Larder\Lease;

/** @internal */
final class FileLease implements Lease
{
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
        $guard = FileLeases::guard($this->guard);
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
}
