<?php

declare(strict_types=1);

namespace Larder\Bench\Run;

use Larder\Bench\Workload\Job;

/** What a window process is told on its standard input. */
final readonly class Order
{
    /**
     * @param bool        $prepare  fill the store instead of measuring
     * @param string|null $subjects file with further subjects
     */
    public function __construct(
        public Job $job,
        public bool $prepare,
        public ?string $subjects = null,
    ) {}
}
