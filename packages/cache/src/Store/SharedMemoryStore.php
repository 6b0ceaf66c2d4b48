<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Exception\SharedMemoryUnavailable;
use Larder\Failure;
use Larder\Metrics\Counters;
use Larder\Metrics\NullCounters;
use Larder\Metrics\SparingLogger;
use Larder\NearStore;
use Larder\SharedMemory;
use Larder\Store;
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
     * @param LoggerInterface|null $log null: PHP's error_log, one line a minute and cause; of values that cannot be
     *     read, the log of the Larder\Cache or TieredStore that is made on it
     * @param Counters|null $counters of values that cannot be read, by cause: `larder_store_failures_total`; null: as
     *     of the log
     */
    public static function on(
        ?string $namespace = null,
        ?LoggerInterface $log = null,
        ?Counters $counters = null,
    ): NearStore {
        if (!class_exists(SharedMemory::class, false)) {
            ($log ?? new SparingLogger())->warning(
                'Nothing is cached in shared memory: the PHP extension larder is not loaded. '
                . 'Add extension=larder.so to the php.ini of this PHP.',
            );

            return new NullStore();
        }
        try {
            $memory = new SharedMemory($namespace);
            if ($log !== null || $counters !== null) {
                self::report($memory, $log, $counters ?? new NullCounters());
            }

            return $memory;
        } catch (SharedMemoryUnavailable $exception) {
            ($log ?? new SparingLogger())->warning(
                'Nothing is cached in shared memory: {reason}. Check larder.size and larder.directory in php.ini, '
                . 'and that the machine has that much memory left.',
                ['reason' => rtrim($exception->getMessage(), '.'), 'exception' => $exception],
            );

            return new NullStore();
        }
    }

    /**
     * Where a store is shared memory: its values that cannot be read are counted and logged, unless somebody hears of
     * them already.
     *
     * @internal
     */
    public static function report(Store $store, ?LoggerInterface $log, Counters $counters): void
    {
        if (!$store instanceof SharedMemory) {
            return;
        }
        $failures = new ReportedFailures($log, $counters, 'shared_memory');
        $before = $store->reportTo(static fn(Failure $failure) => $failures->report([$failure]));
        if ($before !== null) {
            $store->reportTo($before);
        }
    }
}
