<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use InvalidArgumentException;
use Larder\Bench\Subject\Freshness;
use Larder\Bench\Workload\Job;

/** What is done to one key, and how often. Seconds throughout. */
final readonly class Scenario
{
    /** So long that a busy machine does not make one winner into two. */
    private const LEASE = 5.0;

    /**
     * @param float $compute that making the value takes
     * @param int   $workers processes that read it
     * @param float $pace    reads a second of each; their moments are independent of each other's
     * @param float $seconds that they do so
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
        if ($workers < 1 || $workers > Board::MOST) {
            throw new InvalidArgumentException(\sprintf('workers must be 1 to %d, not %d', Board::MOST, $workers));
        }
    }

    /** Parameters: `life` (10), `window` (5), `compute` (0.25), `workers` (200), `pace` (10), `seconds` (32) and `fault` (none). */
    public static function of(Job $job): self
    {
        $name = $job->string('fault', Fault::None->value);
        $fault = Fault::tryFrom($name) ?? throw new InvalidArgumentException(\sprintf('There is no fault "%s". There are: %s.', $name, implode(', ', array_column(Fault::cases(), 'value'))));
        $compute = $job->float('compute', 0.25);

        return new self(
            new Freshness($job->float('life', 10.0), $job->float('window', 5.0), $fault->isOfLeases() ? 4 * $compute : self::LEASE),
            $compute,
            $job->int('workers', 200),
            $job->float('pace', 10.0),
            $job->float('seconds', 32.0),
            $fault,
            $job->seed,
        );
    }

    /** Of two computes that are nearer to each other than this the second was not needed: no value's end lies between them. */
    public function apart(): float
    {
        return ($this->freshness->life - $this->freshness->window) / 2;
    }
}
