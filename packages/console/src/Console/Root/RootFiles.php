<?php

declare(strict_types=1);

namespace Larder\Console\Root;

use Composer\Autoload\ClassLoader;
use RuntimeException;

/**
 * Stands for PHP's own access to files while code is run for root: it includes no file that anybody but root may have
 * written, and writes nothing. PHP makes one for each file and directory that is opened.
 *
 * @internal
 */
final class RootFiles
{
    /** Of stream_open()'s options: the file is included. */
    private const INCLUDED = 0x80;

    /** @var resource|null of PHP */
    public mixed $context = null;

    /** @var resource|null */
    private mixed $file = null;

    /**
     * Until watch() there is no other way to a file that is included, so who only looks has nothing that could be one.
     *
     * @param string ...$programs that run already
     *
     * @throws RuntimeException if somebody else may have written those
     */
    public static function guard(Role $role, string ...$programs): void
    {
        foreach ($programs as $program) {
            self::mustBeRoots($program);
        }
        $needed = ['php', 'file', ...(str_starts_with(__FILE__, 'phar://') ? ['phar'] : [])];
        foreach ($role->name === Role::OUTLINE ? array_diff(stream_get_wrappers(), $needed) : [] as $other) {
            stream_wrapper_unregister($other);
        }
        self::register();
    }

    /** From now on only classes are looked at, before they are loaded: this process needs its files. */
    public static function watch(): void
    {
        stream_wrapper_restore('file');
        spl_autoload_register(static function (string $class): void {
            foreach (spl_autoload_functions() as $loader) {
                $composer = \is_array($loader) ? $loader[0] : null;
                $file = $composer instanceof ClassLoader ? $composer->findFile($class) : false;
                if ($file !== false) {
                    self::mustBeRoots($file);
                }
            }
        }, prepend: true);
    }

    public function stream_open(string $path, string $mode, int $options): bool
    {
        if (($options & self::INCLUDED) !== 0) {
            self::really(static fn() => self::mustBeRoots($path));
        }
        $file = str_starts_with($mode, 'r') && !str_contains($mode, '+')
            ? self::really(static fn(): mixed => @fopen($path, $mode))
            : false;
        $this->file = \is_resource($file) ? $file : null;

        return $this->file !== null;
    }

    public function stream_read(int $bytes): string
    {
        return $this->file === null ? '' : (string) fread($this->file, max(1, $bytes));
    }

    public function stream_eof(): bool
    {
        return $this->file === null || feof($this->file);
    }

    public function stream_tell(): int
    {
        return $this->file === null ? 0 : (int) ftell($this->file);
    }

    public function stream_seek(int $to, int $from): bool
    {
        return $this->file !== null && fseek($this->file, $to, $from) === 0;
    }

    /** @return array<array-key, int>|false */
    public function stream_stat(): array|false
    {
        return $this->file === null ? false : fstat($this->file);
    }

    public function stream_set_option(int $option, int $first, int $second): bool
    {
        return false;
    }

    public function stream_lock(int $operation): bool
    {
        return true;
    }

    public function stream_close(): void
    {
        if ($this->file !== null) {
            fclose($this->file);
        }
    }

    /** @return array<array-key, int>|false */
    public function url_stat(string $path, int $flags): array|false
    {
        $status = self::really(static fn(): mixed => ($flags & STREAM_URL_STAT_LINK) !== 0
            ? @lstat($path)
            : @stat($path));

        return \is_array($status) ? array_filter($status, \is_int(...)) : false;
    }

    public function dir_opendir(string $path, int $options): bool
    {
        $directory = self::really(static fn(): mixed => @opendir($path));
        $this->file = \is_resource($directory) ? $directory : null;

        return $this->file !== null;
    }

    public function dir_readdir(): string|false
    {
        return $this->file === null ? false : readdir($this->file);
    }

    public function dir_rewinddir(): bool
    {
        if ($this->file !== null) {
            rewinddir($this->file);
        }

        return true;
    }

    public function dir_closedir(): bool
    {
        if ($this->file !== null) {
            closedir($this->file);
        }

        return true;
    }

    /** @param \Closure(): mixed $do without an include */
    private static function really(\Closure $do): mixed
    {
        stream_wrapper_restore('file');
        try {
            return $do();
        } finally {
            self::register();
        }
    }

    private static function register(): void
    {
        stream_wrapper_unregister('file');
        stream_wrapper_register('file', self::class);
    }

    private static function mustBeRoots(string $file): void
    {
        $objection = Holder::objection($file);
        if ($objection !== null) {
            throw new RuntimeException($objection);
        }
    }
}
