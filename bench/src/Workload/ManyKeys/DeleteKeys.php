<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\ManyKeys;

use InvalidArgumentException;
use Larder\Bench\Check\Seal;
use Larder\Bench\Check\Verifier;
use Larder\Bench\Subject\KeyValue;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;

/**
 * Deletes a batch of keys: by one call, or key by key. Each worker has keys of its own.
 *
 * In the source only the first of 1,000 batches finds what it deletes. Parameter `present` (256): every so manieth batch is set
 * before and looked for afterwards, within the time; 1: all are.
 */
final readonly class DeleteKeys implements Operations
{
    public function __construct(private bool $many) {}

    public function needs(): array
    {
        return [$this->many ? ManyKeys::class : KeyValue::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        // The steps set what they delete.
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof KeyValue);
        $present = $job->int('present', 256);
        if ($present < 1) {
            throw new InvalidArgumentException(\sprintf('present must be 1 or more, not %d', $present));
        }
        $batches = Batch::all($job, 'delete' . $worker);
        $count = \count($batches);
        $seal = new Seal();
        $values = array_map(static fn(Batch $batch): array => $batch->values($seal, 0), $batches);
        $many = $this->many && $subject instanceof ManyKeys ? $subject : null;
        $verifier = Verifier::of($job->checked);
        $turn = 0;

        return new Step(static function () use ($subject, $many, $batches, $count, $values, $present, $verifier, &$turn): int {
            $index = $turn % $count;
            $keys = $batches[$index]->keys;
            $checked = $turn++ % $present === 0;
            if ($checked) {
                $many !== null ? $many->setMany($values[$index]) : array_map($subject->set(...), $keys, $values[$index]);
            }
            $many !== null ? $many->deleteMany($keys) : array_map($subject->delete(...), $keys);
            if ($checked) {
                $left = $many !== null ? $many->getMany($keys) : array_filter(array_map($subject->get(...), $keys), \is_string(...));
                $verifier->that($left === [], 'keys that are still there after their deletion');
            }

            return 0;
        }, Batch::size($job));
    }
}
