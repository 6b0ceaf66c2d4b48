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

/**
 * Sets a batch of keys: by one call, or key by key. Each worker has keys of its own.
 *
 * A set has no reply that shows anything, so every eleventh batch is read back, and the time of that counts. Values are made
 * before the clock runs, in three generations: sealing 50 times 24 KB would be a good part of what is measured.
 */
final readonly class SetKeys implements Operations
{
    private const GENERATIONS = 3;

    /** A prime: it falls into step neither with the batches nor with whoever loses every thousandth set. */
    private const CHECKED = 11;

    public function __construct(private bool $many) {}

    public function needs(): array
    {
        return [$this->many ? ManyKeys::class : KeyValue::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        // What is read back has been set just before.
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof KeyValue);
        $batches = Batch::all($job, 'set' . $worker);
        $count = \count($batches);
        $seal = new Seal();
        $values = array_map(
            static fn(int $generation): array => array_map(static fn(Batch $batch): array => $batch->values($seal, $generation), $batches),
            range(0, self::GENERATIONS - 1),
        );
        $bytes = array_map(static fn(Batch $batch): int => $batch->bytes(), $batches);
        $reader = new Reader(Verifier::of($job->checked));
        $many = $this->many && $subject instanceof ManyKeys ? $subject : null;
        $turn = 0;

        return new Step(static function () use ($subject, $many, $batches, $count, $values, $bytes, $reader, &$turn): int {
            $index = $turn % $count;
            $generation = intdiv($turn, $count) % self::GENERATIONS;
            if ($many !== null) {
                $many->setMany($values[$generation][$index]);
            } else {
                foreach ($values[$generation][$index] as $key => $value) {
                    $subject->set($key, $value);
                }
            }
            if ($turn++ % self::CHECKED !== 0) {
                return $bytes[$index];
            }
            $keys = $batches[$index]->keys;

            return $bytes[$index] + ($many !== null ? $reader->many($many, $keys, $generation) : $reader->single($subject, $keys, $generation));
        }, Batch::size($job));
    }
}
