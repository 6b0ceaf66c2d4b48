<?php

declare(strict_types=1);

namespace Larder\Bench\Run;

/** How each window is taken. */
final readonly class Settings
{
    /**
     * @param float       $window   seconds
     * @param float       $warmUp   seconds at most
     * @param float       $longest  seconds after which no window begins
     * @param float       $budget   seconds that the charts share
     * @param float       $longestChart seconds after which a chart ends at its next look
     * @param string      $run      name of this run, in front of every key
     * @param string|null $subjects file with further subjects
     */
    public function __construct(
        public float $window,
        public float $warmUp,
        public float $longest,
        public float $budget,
        public float $longestChart,
        public string $run,
        public int $seed,
        public ?string $subjects = null,
        public Placement $placement = Placement::Together,
    ) {}
}
