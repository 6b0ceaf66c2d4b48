<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Client;

use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;

final readonly class Jobs
{
    /** @param array<string, bool|float|int|string> $parameters */
    public static function job(
        array $parameters = [],
        int $block = 0,
        string $subject = 'store',
        int $seed = 7,
        bool $checked = true,
    ): Job {
        return new Job('test', $subject, $parameters, 0.1, $block, $seed, [], '/nowhere', 'cell:', checked: $checked);
    }

    /** @return int bytes that the steps moved */
    public static function run(Operations $operations, Subject $subject, Job $job, int $steps, int $worker = 0): int
    {
        $operations->fill($subject, $job);
        $run = $operations->step($subject, $job, $worker)->run;
        $bytes = 0;
        for ($step = 0; $step < $steps; ++$step) {
            $bytes += $run();
        }

        return $bytes;
    }
}
