<?php

declare(strict_types=1);

namespace Larder\Bench\Run;

use Larder\Bench\Statistics\Looks;
use Larder\Bench\Workload\Table;

/** How long and how often everything is measured. */
enum Profile: string
{
    /** A named list of cells, some minutes, wide intervals that say so. */
    case Quick = 'quick';

    /** All that is said of the store in shared memory, in minutes. */
    case Memory = 'memory';

    /** All that is said of the memcached client, in minutes. */
    case Client = 'client';

    /** All that is said of Larder's modules memcached and memcache, in minutes. */
    case Modules = 'modules';

    /** All that is said of the cache, in minutes. */
    case Cache = 'cache';

    /** Every cell of every test: hours. */
    case Full = 'full';

    /** What it measures unless tests are named. */
    public function tests(): string
    {
        return match ($this) {
            self::Memory => 'memory_get:memory_sizes:memory_readers:memory_set:memory_write:memory_new:memory_count:'
                . 'memory_bytes:memory_hits',
            self::Client => 'calls_get:'
                . implode(
                    ':',
                    array_map(
                        static fn(
                            string $many,
                        ): string => "calls_$many:calls_{$many}_apart:calls_{$many}_far:calls_{$many}_more",
                        ['get_many', 'set_many', 'delete_many', 'increment_many'],
                    ),
                ),
            self::Modules => implode(':', Table::named('modules')->names()),
            self::Cache => 'cache_hit:cache_hit_memcached:cache_hit_redis:'
                . 'cache_miss:cache_miss_memcached:cache_miss_redis:'
                . 'stampede:stampede_faults:stampede_http:tag_churn:tag_memory',
            self::Quick, self::Full => 'all',
        };
    }

    /** Seconds of a window. */
    public function window(): float
    {
        return match ($this) {
            self::Quick, self::Memory, self::Client, self::Modules, self::Cache => 0.4,
            self::Full => 1.0,
        };
    }

    /** When a chart may end. */
    public function looks(): Looks
    {
        return $this === self::Full ? Looks::between(20, 80) : Looks::between(10, 40);
    }

    /** Seconds that a warm-up may take before the window is taken all the same, and flagged. */
    public function warmUp(): float
    {
        return match ($this) {
            self::Quick, self::Memory, self::Client, self::Modules, self::Cache => 0.15,
            self::Full => 5.0,
        };
    }

    /** Seconds after which no further window is begun. */
    public function longest(): float
    {
        return match ($this) {
            self::Quick, self::Memory => 600.0,
            self::Client, self::Modules => 1200.0,
            self::Cache => 3600.0,
            self::Full => 6 * 3600.0,
        };
    }

    /** Seconds that the charts share beyond their first look. */
    public function budget(): float
    {
        return match ($this) {
            self::Quick => 420.0,
            default => $this->longest(),
        };
    }

    /** Seconds after which a chart ends at its next look. */
    public function longestChart(): float
    {
        return $this === self::Full ? 300.0 : 60.0;
    }
}
