<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\ManyKeys;

use Larder\Bench\Check\Verifier;
use Larder\Bench\Subject\Counting;
use Larder\Bench\Subject\CountingMany;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;

/** Adds 1 to a batch of counters: by one call, or one by one. Each worker has counters of its own, so that every sum is known. */
final readonly class IncrementKeys implements Operations
{
    public function __construct(private bool $many) {}

    public function needs(): array
    {
        return [$this->many ? CountingMany::class : Counting::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        // Each worker sets its counters itself: what an earlier window left there is no known start.
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof Counting);
        $batches = Batch::all($job, 'int' . $worker);
        $count = \count($batches);
        foreach ($batches as $batch) {
            array_map($subject->setCounter(...), $batch->keys, $batch->numbers);
        }
        $many = $this->many && $subject instanceof CountingMany ? $subject : null;
        $verifier = Verifier::of($job->checked);
        $turn = 0;

        return new Step(static function () use ($subject, $many, $batches, $count, $verifier, &$turn): int {
            $batch = $batches[$turn % $count];
            $rounds = intdiv($turn++, $count) + 1;
            $sums = $many?->incrementMany($batch->keys);
            foreach ($batch->keys as $index => $key) {
                $sum = $sums === null ? $subject->increment($key) : $sums[$key] ?? -1;
                $verifier->counter($key, $sum, $batch->numbers[$index] + $rounds);
            }
            $verifier->that($sums === null || \count($sums) === \count($batch->keys), 'more counters in the reply than were asked for');

            return 0;
        }, Batch::size($job));
    }
}
