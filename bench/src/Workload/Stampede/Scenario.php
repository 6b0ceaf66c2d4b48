<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use InvalidArgumentException;
use Larder\Bench\Subject\Freshness;
use Larder\Bench\Workload\Job;

/** How many workers read the key, how often, and what goes wrong meanwhile. All times are in seconds. */
final readonly class Scenario
{
    public const NO_FAULT = 'none';

    /** After each expiry the first process that makes the value is killed half-way. */
    public const KILLED = 'killed';

    /** After each expiry the first compute takes twice as long as its lease. */
    public const SLOW = 'slow';

    /** The readers begin without a value. */
    public const COLD = 'cold';

    /** The value is lost although nothing changed, while no process makes it. */
    public const EVICTED = 'evicted';

    /** The data changes and the value is deleted while a process makes it from the old data. */
    public const DELETED = 'deleted';

    /** What goes wrong while a value is made and read. */
    public const FAULTS = [
        self::NO_FAULT, self::KILLED, self::SLOW, self::COLD, self::EVICTED, self::DELETED,
    ];

    private const MOST_WORKERS = 1024;

    /** Long enough that a busy machine does not end the lease of a process that computes. */
    private const LEASE = 5.0;

    /**
     * @param float $compute time that making the value takes
     * @param int   $workers processes that read it
     * @param float $pace    reads per second of each worker, at moments that are independent of the others'
     * @param float $seconds how long they read
     * @param value-of<self::FAULTS> $fault
     */
    public function __construct(
        public Freshness $freshness,
        public float $compute,
        public int $workers,
        public float $pace,
        public float $seconds,
        public string $fault = self::NO_FAULT,
        public int $seed = 1,
    ) {
        if ($workers < 1 || $workers > self::MOST_WORKERS) {
            throw new InvalidArgumentException(
                \sprintf('workers must be 1 to %d, not %d', self::MOST_WORKERS, $workers),
            );
        }
    }

    /**
     * Parameters: `life` (10), `window` (5), `compute` (0.25), `workers` (200), `pace` (10), `seconds` (32) and
     * `fault` (none).
     */
    public static function of(Job $job): self
    {
        $fault = $job->string('fault', self::NO_FAULT);
        if (!\in_array($fault, self::FAULTS, true)) {
            throw new InvalidArgumentException(
                \sprintf('There is no fault "%s". There are: %s.', $fault, implode(', ', self::FAULTS)),
            );
        }
        $compute = $job->float('compute', 0.25);
        // The length of the lease decides what these faults do, so they get a short one.
        $lease = $fault === self::KILLED || $fault === self::SLOW ? 4 * $compute : self::LEASE;

        return new self(
            new Freshness($job->float('life', 10.0), $job->float('window', 5.0), $lease),
            $compute,
            $job->int('workers', 200),
            $job->float('pace', 10.0),
            $job->float('seconds', 32.0),
            $fault,
            $job->seed,
        );
    }

    /** If two computes are nearer than this, no value ended between them and the second was not needed. */
    public function apart(): float
    {
        return ($this->freshness->life - $this->freshness->window) / 2;
    }
}
