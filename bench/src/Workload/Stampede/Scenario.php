<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use InvalidArgumentException;
use Larder\Bench\Subject\Freshness;
use Larder\Bench\Workload\Job;

/** How many workers read the key, how often, and what goes wrong meanwhile. All times are in seconds. */
final readonly class Scenario
{
    private const MOST_WORKERS = 1024;

    /** Long enough that a busy machine does not end the lease of a process that computes. */
    private const LEASE = 5.0;

    /**
     * @param float $compute time that making the value takes
     * @param int   $workers processes that read it
     * @param float $pace    reads per second of each worker, at moments that are independent of the others'
     * @param float $seconds how long they read
     */
    public function __construct(
        public Freshness $freshness,
        public float $compute,
        public int $workers,
        public float $pace,
        public float $seconds,
        public Fault $fault = Fault::None,
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
        $name = $job->string('fault', Fault::None->value);
        $known = implode(', ', array_column(Fault::cases(), 'value'));
        $fault = Fault::tryFrom($name) ?? throw new InvalidArgumentException(
            \sprintf('There is no fault "%s". There are: %s.', $name, $known),
        );
        $compute = $job->float('compute', 0.25);
        $lease = $fault->dependsOnLease() ? 4 * $compute : self::LEASE;

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
