<?php

declare(strict_types=1);

namespace Larder\Code;

use Larder\Code\Exception\CodeFailed;

/**
 * Steps on the local file system. Each failure names its file.
 *
 * @internal
 */
final readonly class LocalDirectory
{
    /** @throws CodeFailed */
    public static function make(string $path): void
    {
        if (!is_dir($path) && !@mkdir($path, 0o755, true) && !is_dir($path)) {
            throw CodeFailed::during('make the directory', $path);
        }
    }

    /**
     * Makes a file that must not exist.
     *
     * @param int|null $mode null: what the umask leaves
     *
     * @throws CodeFailed also after a short write
     */
    public static function write(string $path, string $bytes, ?int $mode = null, ?int $mtime = null): void
    {
        $file = @fopen($path, 'xbe');
        if ($file === false) {
            throw CodeFailed::during('make', $path);
        }
        self::append($file, $path, $bytes);
        self::finish($file, $path, $mode, $mtime);
    }

    /**
     * @param resource $file
     *
     * @throws CodeFailed
     */
    public static function append(mixed $file, string $path, string $bytes): void
    {
        if (@fwrite($file, $bytes) !== \strlen($bytes)) {
            $failed = CodeFailed::during('write', $path);
            fclose($file);
            throw $failed;
        }
    }

    /**
     * @param resource $file
     *
     * @throws CodeFailed
     */
    public static function finish(mixed $file, string $path, ?int $mode, ?int $mtime): void
    {
        if (!@fclose($file)) {
            throw CodeFailed::during('close', $path);
        }
        if (($mode !== null && !@chmod($path, $mode)) || ($mtime !== null && !@touch($path, $mtime))) {
            throw CodeFailed::during('set mode and time of', $path);
        }
    }

    /**
     * Puts a whole file in the place of another.
     *
     * @throws CodeFailed
     */
    public static function replace(string $path, string $bytes, ?int $mode = null, ?int $mtime = null): void
    {
        $fresh = $path . '.' . bin2hex(random_bytes(8));
        try {
            self::write($fresh, $bytes, $mode, $mtime);
            if (!@rename($fresh, $path)) {
                throw CodeFailed::during('move a file to', $path);
            }
        } catch (CodeFailed $failed) {
            @unlink($fresh);
            throw $failed;
        }
    }

    /**
     * Puts a symbolic link in the place of another, or of a file.
     *
     * @throws CodeFailed
     */
    public static function link(string $path, string $target): void
    {
        $fresh = $path . '.' . bin2hex(random_bytes(8));
        if (!@symlink($target, $fresh) || !@rename($fresh, $path)) {
            $failed = CodeFailed::during('make the link', $path);
            @unlink($fresh);
            throw $failed;
        }
    }

    /** @return list<string> empty: there is no such directory */
    public static function names(string $directory): array
    {
        $names = @scandir($directory, SCANDIR_SORT_NONE);

        return $names === false ? [] : array_values(array_diff($names, ['.', '..']));
    }

    /** Removes what it can, and follows no link. */
    public static function remove(string $path): void
    {
        if (is_link($path) || !is_dir($path)) {
            @unlink($path);

            return;
        }
        foreach (self::names($path) as $name) {
            self::remove($path . '/' . $name);
        }
        @rmdir($path);
    }
}
