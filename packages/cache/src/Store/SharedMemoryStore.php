<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Exception\SharedMemoryUnavailable;
use Larder\Metrics\SparingLogger;
use Larder\NearStore;
use Larder\SharedMemory;
use Psr\Log\LoggerInterface;

/** The store in shared memory, as an application opens it. */
final readonly class SharedMemoryStore
{
    private function __construct() {}

    /**
     * A Larder\SharedMemory. Where the extension or the segment is missing, a NullStore: the application runs all the
     * same, only without a cache, and the log says once why and what to do about it.
     *
     * @param string|null $namespace keeps its keys apart from others', up to 63 bytes without NUL; null: the one of
     *     larder.namespace
     * @param LoggerInterface|null $log null: PHP's error_log, one line a minute and cause
     */
    public static function on(?string $namespace = null, ?LoggerInterface $log = null): NearStore
    {
        if (!class_exists(SharedMemory::class, false)) {
            ($log ?? new SparingLogger())->warning(
                'Nothing is cached in shared memory: the PHP extension larder is not loaded. '
                . 'Add extension=larder.so to the php.ini of this PHP.',
            );

            return new NullStore();
        }
        try {
            return new SharedMemory($namespace);
        } catch (SharedMemoryUnavailable $exception) {
            ($log ?? new SparingLogger())->warning(
                'Nothing is cached in shared memory: {reason}. Check larder.size and larder.directory in php.ini, '
                . 'and that the machine has that much memory left.',
                ['reason' => rtrim($exception->getMessage(), '.'), 'exception' => $exception],
            );

            return new NullStore();
        }
    }
}
