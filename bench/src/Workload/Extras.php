<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

use Larder\Bench\Subject\Subject;

/** Operations that find more figures than rates. */
interface Extras
{
    /** @return array<string, float> by name, the unit in it */
    public function extras(Subject $subject, Job $job): array;
}
