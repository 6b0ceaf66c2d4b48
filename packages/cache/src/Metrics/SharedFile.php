<?php

declare(strict_types=1);

namespace Larder\Metrics;

use Closure;

/**
 * A small file that all processes of one host share and change under flock(2). It never fails: what cannot be kept is
 * lost. Names of data may be in it, so that nobody but its user and the directory's group may read it.
 *
 * @internal
 */
final readonly class SharedFile
{
    /** 10 ms in all. If a process is stopped while it holds the lock, the others lose a change and do not wait. */
    private const TRIES = 50;
    private const PAUSE = 200;

    private const MODE = 0o640;

    public function __construct(private string $path) {}

    public function read(): string
    {
        return is_file($this->path) ? (string) @file_get_contents($this->path) : '';
    }

    /** @return int|null the modification time, Unix time; null: there is no such file */
    public function changed(): ?int
    {
        clearstatcache(true, $this->path);
        $time = is_file($this->path) ? @filemtime($this->path) : false;

        return $time === false ? null : $time;
    }

    /**
     * @param Closure(string): (string|null) $change gets what is there, and returns what shall be; null: as it was
     *
     * @return bool false: it was not changed
     */
    public function change(Closure $change): bool
    {
        return $this->locked(static function ($file) use ($change): bool {
            $old = (string) stream_get_contents($file);
            $new = $change($old);
            if ($new === null) {
                return false;
            }
            rewind($file);
            $isWritten = fwrite($file, $new) === \strlen($new);
            // Not to nothing first: ext4 would write such a file to the disk when it is closed.
            if (\strlen($new) < \strlen($old)) {
                ftruncate($file, \strlen($new));
            }

            return $isWritten;
        });
    }

    /**
     * Adds a line. Of a file that is longer than $most bytes with it, the newer half stays.
     *
     * @return bool false: it was not added
     */
    public function append(string $line, int $most): bool
    {
        return $this->locked(static function ($file) use ($line, $most): bool {
            $length = fstat($file)['size'] ?? 0;
            if ($length + \strlen($line) < $most) {
                fseek($file, 0, SEEK_END);

                return fwrite($file, $line . "\n") === \strlen($line) + 1;
            }
            fseek($file, max(0, $length - intdiv($most, 2)));
            // The first of them may be half a line.
            fgets($file);
            $new = stream_get_contents($file) . $line . "\n";
            rewind($file);
            $isWritten = fwrite($file, $new) === \strlen($new);
            ftruncate($file, \strlen($new));

            return $isWritten;
        });
    }

    /** @param Closure(resource): bool $do */
    private function locked(Closure $do): bool
    {
        if (!is_file($this->path)) {
            $this->make();
            clearstatcache(true, $this->path);
        }
        // A pipe would never end.
        $file = is_file($this->path) ? @fopen($this->path, 'r+e') : false;
        $isDone = false;
        for ($try = 0; $file !== false && $try < self::TRIES; ++$try) {
            if (flock($file, LOCK_EX | LOCK_NB)) {
                $isDone = $do($file);
                break;
            }
            usleep(self::PAUSE);
        }
        if ($file !== false) {
            fclose($file);
        }

        return $isDone;
    }

    /** With its mode from the start: who has once opened it reads all that comes later. */
    private function make(): void
    {
        $directory = \dirname($this->path);
        $fresh = is_dir($directory) ? @tempnam($directory, '.new') : false;
        if ($fresh === false) {
            return;
        }
        if (\dirname($fresh) === $directory && @chmod($fresh, self::MODE)) {
            self::adopt($fresh, $directory);
            // Another process may be faster.
            @link($fresh, $this->path);
        }
        @unlink($fresh);
    }

    /** Root's file gets the owner of its directory, for a program of the site that root has started. */
    private static function adopt(string $path, string $directory): void
    {
        $above = @stat($directory);
        if ($above !== false && \function_exists('posix_geteuid') && posix_geteuid() === 0 && $above['uid'] !== 0) {
            @lchown($path, $above['uid']);
            @lchgrp($path, $above['gid']);
        }
    }
}
