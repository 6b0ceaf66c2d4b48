<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * Since when PHP can have compiled the code that runs now. It may be older than the files: that is what OPcache is for.
 *
 * @internal
 */
final readonly class CompiledCode
{
    /** Those that forget all code after each request, but for OPcache. */
    private const SAPIS = ['fpm-fcgi', 'cgi-fcgi', 'apache2handler', 'litespeed', 'cli-server'];

    /** Jiffies in a second, as Linux tells them. */
    private const TICKS = 100;

    /** @param list<string> $preloaded */
    private function __construct(
        private ?int $looked,
        private ?int $began,
        private array $preloaded,
        private string $remedy,
    ) {}

    public static function ofThisProcess(): self
    {
        $run = \in_array(PHP_SAPI, self::SAPIS, true) ? self::requestTime() : self::processTime();
        $status = \function_exists('opcache_get_status') ? @opcache_get_status(false) : false;
        $isOn = filter_var(\ini_get('opcache.enable'), FILTER_VALIDATE_BOOL)
            && (PHP_SAPI !== 'cli' || filter_var(\ini_get('opcache.enable_cli'), FILTER_VALIDATE_BOOL));
        if (!$isOn || ($status !== false && $status['opcache_enabled'] === false)) {
            return new self($run, $run, [], 'start the process again');
        }
        $looks = filter_var(\ini_get('opcache.validate_timestamps'), FILTER_VALIDATE_BOOL);
        $looked = $looks && $run !== null ? $run - max(0, (int) \ini_get('opcache.revalidate_freq')) : null;
        if ((string) \ini_get('opcache.file_cache') !== '') {
            return new self($looked, null, [], 'empty opcache.file_cache and reload php-fpm');
        }
        if ($status === false) {
            return new self($looked, null, [], 'opcache.restrict_api hides since when OPcache runs');
        }
        /**
         * @var array{opcache_statistics: array{start_time: int, last_restart_time: int},
         *     preload_statistics?: array{scripts?: list<string>}} $status
         */
        $preloaded = $status['preload_statistics']['scripts'] ?? [];
        $began = max($status['opcache_statistics']['start_time'], $status['opcache_statistics']['last_restart_time']);

        return new self($preloaded === [] ? $looked : null, $began, $preloaded, 'reload php-fpm');
    }

    /**
     * The Unix time since when each included file was compiled or, if its mtime shows a change, was looked at by
     * OPcache.
     */
    public function since(bool $mtimeCounts): int
    {
        return max($mtimeCounts ? $this->looked ?? 0 : 0, $this->began ?? 0);
    }

    /** @return list<string> files that are included in every request, but not listed as such */
    public function preloaded(): array
    {
        return $this->preloaded;
    }

    public function doubt(string $file, bool $mtimeCounts): string
    {
        return $mtimeCounts && $this->looked !== null
            ? $file . ' changed a moment ago, and the old one may be in memory for some seconds'
            : $file . ' may have been compiled before it changed: ' . $this->remedy;
    }

    private static function requestTime(): ?int
    {
        $time = $_SERVER['REQUEST_TIME'] ?? null;

        return \is_int($time) ? $time : null;
    }

    /** A server in PHP sets REQUEST_TIME for each request that it handles, with code of long before. */
    private static function processTime(): ?int
    {
        $fields = explode(' ', (string) strrchr((string) @file_get_contents('/proc/self/stat'), ')'));
        $found = preg_match('/^btime (\d+)$/m', (string) @file_get_contents('/proc/stat'), $booted) === 1;

        return $found && isset($fields[20]) ? (int) $booted[1] + intdiv((int) $fields[20], self::TICKS) : null;
    }
}
