<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Sql\Exception\PageStoreFailed;

/**
 * The page store's system calls, on the local file system. Each is one step of the algorithm. Every failure but a
 * missing file is thrown. Files have mode 0644 and directories 0755 whatever the umask is, since nginx reads them as
 * another user: who else may is up to the page directory, into which all of it goes. Root's files get the owner of
 * their directory, for a program of the site that root has started against all advice.
 *
 * @internal
 */
readonly class Files
{
    private const ENOENT = 2;
    private const ENOTDIR = 20;

    /** Of directories. That of a file is set before it gets the name by which it is found. */
    private const MODE = 0o755;
    private const FILE_MODE = 0o644;

    /** In the mode of a directory: what is made in it gets its group. */
    private const PASSES_GROUP = 0o2000;

    /** How often a directory may be removed again before a file is in it. */
    private const TRIES = 20;

    /**
     * Makes a file with these bytes, under a name that must not exist.
     *
     * @throws PageStoreFailed also after a short write, which leaves no file
     */
    public function write(string $path, string $bytes): void
    {
        $file = @fopen($path, 'xe');
        if ($file === false) {
            throw $this->failed('make', $path);
        }
        $written = @fwrite($file, $bytes);
        $closed = @fclose($file);
        if ($written !== \strlen($bytes) || !$closed) {
            $failed = $this->failed('write all of', $path);
            $this->unlink($path);
            throw $failed;
        }
        @chmod($path, self::FILE_MODE);
        $this->adopt($path);
    }

    /**
     * Makes a whole file that nobody changes any more in one step, or leaves one that is there.
     *
     * @throws PageStoreFailed
     */
    public function keep(string $path, string $bytes): void
    {
        $fresh = $path . '.' . bin2hex(random_bytes(8));
        $this->write($fresh, $bytes);
        @chmod($fresh, 0o444);
        $failed = @link($fresh, $path) ? null : $this->failed('make', $path);
        $this->unlink($fresh);
        if ($failed !== null && $this->isGone($path)) {
            throw $failed;
        }
    }

    /**
     * Makes a symbolic link, under a name that must not exist.
     *
     * @throws PageStoreFailed
     */
    public function link(string $path, string $target): void
    {
        if (!@symlink($target, $path)) {
            throw $this->failed('make', $path);
        }
    }

    /** @return string|null where a symbolic link leads to; null: it is missing or none, or nothing is there */
    public function target(string $path): ?string
    {
        clearstatcache(true, $path);
        $target = is_link($path) ? @readlink($path) : false;

        return $target !== false && is_dir($target) ? $target : null;
    }

    /**
     * Sets the modification time of a file that is not empty.
     *
     * @throws PageStoreFailed also if it is gone: PHP's touch() makes an empty file then, which is removed again
     */
    public function stamp(string $path, int $mtime): void
    {
        if (!@touch($path, $mtime)) {
            throw $this->failed('stamp', $path);
        }
        clearstatcache(true, $path);
        if (@filesize($path) === 0) {
            $this->unlink($path);
            throw PageStoreFailed::during('stamp', $path, 'No such file or directory');
        }
    }

    /**
     * Moves a file or a directory within the file system and replaces another file. Makes the directory that it goes
     * to, for as long as others remove it.
     *
     * @return bool false: $from is gone
     *
     * @throws PageStoreFailed
     */
    public function rename(string $from, string $to): bool
    {
        for ($try = 1; !@rename($from, $to); ++$try) {
            $reason = error_get_last()['message'] ?? 'unknown reason';
            if ($this->isGone($from)) {
                return false;
            }
            $above = \dirname($to);
            clearstatcache(true, $above);
            if ($try >= self::TRIES || ($try > 1 && is_dir($above))) {
                throw PageStoreFailed::during('move', $from . ' to ' . $to, $reason);
            }
            try {
                $this->makeDirectory($above);
            } catch (PageStoreFailed $failed) {
                if ($try > 3 && !$this->isGone(\dirname($above))) {
                    throw $failed;
                }
            }
        }

        return true;
    }

    /**
     * Removes a file. Succeeds as well if the file is gone already.
     *
     * @return bool whether it was this call that removed it
     *
     * @throws PageStoreFailed
     */
    public function unlink(string $path): bool
    {
        if (@unlink($path)) {
            return true;
        }
        $reason = error_get_last()['message'] ?? 'unknown reason';

        return $this->isGone($path) ? false : throw PageStoreFailed::during('remove', $path, $reason);
    }

    /** @return array{bytes: string, mtime: int}|null both of the same file; null: it is missing or cannot be read */
    public function read(string $path): ?array
    {
        // Most files that are asked for are missing, and an fopen() that fails costs several times as much.
        $file = is_file($path) ? @fopen($path, 're') : false;
        if ($file === false) {
            return null;
        }
        $bytes = stream_get_contents($file);
        $status = fstat($file);
        fclose($file);

        return $bytes === false || $status === false ? null : ['bytes' => $bytes, 'mtime' => $status['mtime']];
    }

    /** @return int|null the modification time; null: the file is missing or cannot be seen */
    public function mtime(string $path): ?int
    {
        clearstatcache(true, $path);
        $time = @filemtime($path);

        return $time === false ? null : $time;
    }

    /**
     * Makes a directory with its parents; an existing one is fine.
     *
     * @param int $mode of the last one; its parents have 0755
     *
     * @throws PageStoreFailed
     */
    public function makeDirectory(string $path, int $mode = self::MODE): void
    {
        if (is_dir($path)) {
            return;
        }
        // With open_basedir no directory above can be seen, not even the root.
        if ($this->isGone(\dirname($path))) {
            $this->makeDirectory(\dirname($path));
        }
        if (@mkdir($path, $mode)) {
            $made = (int) @fileperms($path);
            if (($made & $mode) !== $mode) {
                @chmod($path, $mode | ($made & self::PASSES_GROUP));
            }
            $this->adopt($path);

            return;
        }
        $failed = $this->failed('make the directory', $path);
        clearstatcache(true, $path);
        if (!is_dir($path)) {
            throw $failed;
        }
    }

    /**
     * Makes a symbolic link, or replaces another in one step.
     *
     * @throws PageStoreFailed
     */
    public function point(string $link, string $target): void
    {
        $fresh = $link . '.' . bin2hex(random_bytes(8));
        if (!@symlink($target, $fresh) || !@rename($fresh, $link)) {
            throw $this->failed('point', $link);
        }
    }

    /**
     * @return list<string> of what is in the directory; empty if it is missing
     *
     * @throws PageStoreFailed
     */
    public function names(string $directory): array
    {
        $names = @scandir($directory, SCANDIR_SORT_NONE);
        if ($names === false) {
            $failed = $this->failed('list', $directory);
            if (!$this->isGone($directory)) {
                throw $failed;
            }

            return [];
        }

        return array_values(array_diff($names, ['.', '..']));
    }

    /**
     * @return list<string> those of the names that are in the directory
     *
     * @throws PageStoreFailed
     */
    public function present(string $directory, string ...$names): array
    {
        $present = array_flip($this->names($directory));

        return array_values(array_filter($names, static fn(string $name): bool => isset($present[$name])));
    }

    /**
     * @return array<string, bool> by name, whether the entry is a directory; empty if $directory is missing
     *
     * @throws PageStoreFailed
     */
    public function entries(string $directory): array
    {
        clearstatcache();
        $entries = [];
        foreach ($this->names($directory) as $name) {
            $path = $directory . '/' . $name;
            $entries[$name] = is_dir($path) && !is_link($path);
        }

        return $entries;
    }

    /**
     * What is in a directory, or a part of it: a large one need not be read to its end.
     *
     * @return array<array-key, array{'directory'|'file'|'link', int}> kind and bytes, by name; empty if it is missing
     *
     * @throws PageStoreFailed
     */
    public function sizes(string $directory, int $most = PHP_INT_MAX): array
    {
        $open = @opendir($directory);
        if ($open === false) {
            $reason = error_get_last()['message'] ?? 'unknown reason';

            return $this->isGone($directory) ? [] : throw PageStoreFailed::during('list', $directory, $reason);
        }
        clearstatcache();
        $sizes = [];
        while (\count($sizes) < $most && ($name = readdir($open)) !== false) {
            $status = \in_array($name, ['.', '..'], true) ? false : @lstat($directory . '/' . $name);
            if ($status !== false) {
                $kind = match ($status['mode'] & 0o170000) {
                    0o040000 => 'directory',
                    0o120000 => 'link',
                    default => 'file',
                };
                $sizes[$name] = [$kind, $status['size']];
            }
        }
        closedir($open);

        return $sizes;
    }

    /** @return bool whether the directory was empty and is removed */
    public function removeDirectory(string $path): bool
    {
        return @rmdir($path);
    }

    /** @return int|null seconds since the file or its inode changed; null: it is missing */
    public function age(string $path): ?int
    {
        clearstatcache(true, $path);
        $changed = @filectime($path);

        return $changed === false ? null : time() - $changed;
    }

    /** @return string|null device and inode, which no other directory of this boot has by then; null: it is missing */
    public function node(string $path): ?string
    {
        clearstatcache(true, $path);
        $status = @stat($path);

        return $status === false ? null : "{$status['dev']} {$status['ino']}";
    }

    /** The kind of file system, as the kernel names it, of what is or will be at this path; empty: nobody can tell. */
    public function kind(string $path): string
    {
        $type = '';
        $longest = -1;
        $mounts = @file('/proc/self/mounts', FILE_IGNORE_NEW_LINES);
        foreach ($mounts === false ? [] : $mounts as $line) {
            [, $point, $kind] = [...explode(' ', $line), '', '', ''];
            $point = rtrim(stripcslashes($point), '/');
            // Of two at one point the later one hides the other.
            if (\strlen($point) >= $longest && str_starts_with($path . '/', $point . '/')) {
                [$longest, $type] = [\strlen($point), $kind];
            }
        }

        return $type;
    }

    /** No link is followed, in case that somebody has put one there meanwhile. */
    private function adopt(string $path): void
    {
        if (\function_exists('posix_geteuid') && posix_geteuid() === 0) {
            @lchown($path, (int) fileowner(\dirname($path)));
            @lchgrp($path, (int) filegroup(\dirname($path)));
        }
    }

    /** file_exists() returns false for a file that this user may not see, too. Only a missing file is no failure. */
    private function isGone(string $path): bool
    {
        if (\function_exists('posix_access')) {
            return !posix_access($path, POSIX_F_OK)
                && \in_array(posix_get_last_error(), [self::ENOENT, self::ENOTDIR], true);
        }
        clearstatcache(true, $path);
        if (file_exists($path) || is_link($path)) {
            return false;
        }
        error_clear_last();
        @opendir($path);

        return preg_match('/No such file or directory|Not a directory/', error_get_last()['message'] ?? '') === 1;
    }

    private function failed(string $step, string $path): PageStoreFailed
    {
        return PageStoreFailed::during($step, $path, error_get_last()['message'] ?? 'unknown reason');
    }
}
