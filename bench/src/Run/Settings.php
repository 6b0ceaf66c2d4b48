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
     * @param string      $run      name of this run, in front of every key
     * @param string|null $subjects file with further subjects
     */
    public function __construct(
        public float $window,
        public float $warmUp,
        public float $longest,
        public string $run,
        public int $seed,
        public ?string $subjects = null,
    ) {}
}
