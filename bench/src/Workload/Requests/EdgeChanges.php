<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Requests;

use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;
use Larder\Testbed\Quantile;

/** A change of one row, outside a transaction, by a site with an edge or without. A purge that fails makes it wrong. */
final readonly class EdgeChanges implements Operations
{
    public function needs(): array
    {
        return [EdgeSite::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        // Each worker makes its own site.
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof EdgeSite);
        /** @var list<float> $times microseconds */
        $times = [];

        return new Step(
            static function () use ($subject, &$times): int {
                $begin = hrtime(true);
                $changed = $subject->change('t' . \count($times));
                $times[] = (hrtime(true) - $begin) / 1e3;
                if ($changed !== 1 || \count($subject->purges) !== ($subject->hasEdge ? \count($times) : 0)) {
                    throw new WrongReply('not each change of a row was followed by one purge on all servers');
                }

                return 0;
            },
            extras: static function () use ($subject, &$times): array {
                $purges = $subject->purges === [] ? [0.0] : $subject->purges;

                return [
                    'us of the statement, median' => Quantile::median($times),
                    'us of the statement, 95 of 100' => Quantile::of($times, 0.95),
                    'us of it the purge, median' => Quantile::median($purges),
                    'us of it the purge, 95 of 100' => Quantile::of($purges, 0.95),
                ];
            },
        );
    }
}
