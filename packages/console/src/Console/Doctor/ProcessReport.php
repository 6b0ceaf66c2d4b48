<?php

declare(strict_types=1);

namespace Larder\Console\Doctor;

use Larder\Exception\SharedMemoryUnavailable;
use Larder\SharedMemory;

/**
 * What a PHP process finds about itself and, as its own user, about the page directory and the code.
 *
 * packages/console/bin/report.php makes one in php-fpm, or in a process of another user.
 *
 * @internal
 */
final readonly class ProcessReport
{
    /** Directories of the page store, and the file whose time it sets. */
    private const PARTS = ['draft', 'hold', 'lease', 'refused', 'r', 'ledger', 'counters'];

    private const BLOCK = 4096;

    public function __construct(
        public string $user,
        public string $sapi,
        /** Version of the extension; null: it is not loaded. */
        public ?string $extension,
        /** File of the segment; '': it has none; null: there is no segment. */
        public ?string $segment,
        /** Why the segment is not there, or not the one that is named. */
        public string $reason,
        public bool $opcache,
        /** Whether the page directory is there, as far as this user can see. */
        public bool $isThere,
        /** Why this user may not write to the page directory; '': it may. */
        public string $refusal,
        /** Whether the page directory's file system took nothing. */
        public bool $isFull,
        /** The list of the release, or the first file in it, that this user may not read; '': it may read all. */
        public string $unreadable,
    ) {}

    /** @param string $list of the release; '': none is looked at */
    public static function of(string $pages, string $list = ''): self
    {
        $user = \function_exists('posix_geteuid') ? posix_geteuid() : (int) @fileowner('/proc/self');
        [$segment, $reason] = self::segment();
        $status = \function_exists('opcache_get_status') ? @opcache_get_status(false) : false;
        clearstatcache();
        $isThere = is_dir($pages);
        [$refusal, $isFull] = $isThere ? self::write($pages) : ['', false];

        return new self(
            self::nameOf($user),
            PHP_SAPI,
            \extension_loaded('larder') ? (string) phpversion('larder') : null,
            $segment,
            $reason,
            \is_array($status) && ($status['opcache_enabled'] ?? false) === true,
            $isThere,
            $refusal,
            $isFull,
            self::unreadable($list),
        );
    }

    public function isPhpFpm(): bool
    {
        return $this->sapi === 'fpm-fcgi';
    }

    public function json(): string
    {
        return json_encode(get_object_vars($this), JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE);
    }

    /** @return self|null null: that is none */
    public static function read(string $json): ?self
    {
        $values = json_decode($json, true);
        if (!\is_array($values) || !\is_string($values['user'] ?? null)) {
            return null;
        }
        $text = static fn(string $name): ?string => \is_string($values[$name] ?? null) ? $values[$name] : null;
        $flag = static fn(string $name): bool => ($values[$name] ?? null) === true;

        return new self(
            $values['user'],
            $text('sapi') ?? '',
            $text('extension'),
            $text('segment'),
            $text('reason') ?? '',
            $flag('opcache'),
            $flag('isThere'),
            $text('refusal') ?? '',
            $flag('isFull'),
            $text('unreadable') ?? '',
        );
    }

    private static function nameOf(int $user): string
    {
        $entry = \function_exists('posix_getpwuid') ? posix_getpwuid($user) : false;

        return $entry === false ? (string) $user : $entry['name'];
    }

    private static function unreadable(string $list): string
    {
        if ($list === '' || !is_file($list) || !is_readable($list)) {
            return $list;
        }
        // As Page\Release and Page\ListedFiles write it; there is no autoloader here.
        preg_match_all('~^(/[^\t\n]+)\t~m', (string) @file_get_contents($list), $found);
        $files = $found[1];
        sort($files);
        foreach ($files as $file) {
            if (!is_readable($file)) {
                return $file;
            }
        }

        return '';
    }

    /** @return array{string|null, string} */
    private static function segment(): array
    {
        if (!class_exists(SharedMemory::class, false)) {
            return [null, 'the extension larder is not loaded'];
        }
        try {
            $info = (new SharedMemory())->info();
        } catch (SharedMemoryUnavailable $exception) {
            return [null, $exception->getMessage()];
        }
        $text = static fn(string $name): string => \is_string($info[$name] ?? null) ? $info[$name] : '';

        return [($info['private'] ?? false) === true ? '' : $text('name'), $text('reason')];
    }

    /** @return array{string, bool} why it may not, and whether there is no room */
    private static function write(string $pages): array
    {
        $probe = $pages . '/probe-' . bin2hex(random_bytes(8));
        error_clear_last();
        $file = @fopen($probe, 'xe');
        $written = $file === false ? 0 : (int) @fwrite($file, str_repeat("\0", self::BLOCK));
        $error = error_get_last()['message'] ?? '';
        if ($file !== false) {
            fclose($file);
            @unlink($probe);
        }
        if (str_contains($error, 'No space left') || ($file !== false && $written < self::BLOCK)) {
            return ['', true];
        }
        if ($file === false) {
            return [$pages . ': ' . trim((string) strrchr($error, ':'), ': '), false];
        }
        foreach (self::PARTS as $part) {
            $path = $pages . '/' . $part;
            if (file_exists($path) && !is_writable($path)) {
                return [$path . ' belongs to ' . self::nameOf((int) fileowner($path)), false];
            }
        }

        return ['', false];
    }
}
