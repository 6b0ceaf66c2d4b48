<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\ManyKeys;

use Larder\Bench\Check\Seal;
use Larder\Bench\Check\Verifier;
use Larder\Bench\Subject\KeyValue;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;

/** Reads a batch of keys: by one call, or key by key. All workers read the same keys. */
final readonly class GetKeys implements Operations
{
    public function __construct(private bool $many) {}

    public function needs(): array
    {
        return [$this->many ? ManyKeys::class : KeyValue::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        \assert($subject instanceof KeyValue);
        $seal = new Seal();
        foreach (Batch::all($job, 'all') as $batch) {
            foreach ($batch->values($seal, 0) as $key => $value) {
                $subject->set($key, $value);
            }
        }
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        $batches = Batch::all($job, 'all');
        $count = \count($batches);
        $turn = $worker;
        $reader = new Reader(Verifier::of($job->checked));
        $read = $this->many
            ? static fn(Batch $batch): int => $subject instanceof ManyKeys ? $reader->many($subject, $batch->keys, 0) : 0
            : static fn(Batch $batch): int => $subject instanceof KeyValue ? $reader->single($subject, $batch->keys, 0) : 0;

        return new Step(static function () use ($batches, $count, $read, &$turn): int {
            return $read($batches[$turn++ % $count]);
        }, Batch::size($job));
    }
}
