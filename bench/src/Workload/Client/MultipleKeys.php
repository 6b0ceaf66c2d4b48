<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Client;

use Larder\Bench\Check\Seal;
use Larder\Bench\Check\Verifier;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;

/** Sets four keys by one call and gets them by one call: exactly these must come back. Parameter: `size` in bytes (32). */
final readonly class MultipleKeys implements Operations
{
    public function needs(): array
    {
        return [ManyKeys::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        // Every get follows a set.
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof ManyKeys);
        $keys = OwnKeys::of($job, $worker, 'many');
        $size = OwnKeys::size($job, Keys::SIZE);
        $seal = new Seal();
        $verifier = Verifier::of($job->checked);
        $number = $keys[0] . ' and three more: not as many values as keys';
        $generation = OwnKeys::firstGeneration($job);

        return new Step(static function () use ($subject, $keys, $size, $seal, $verifier, $number, &$generation): int {
            ++$generation;
            $values = [];
            foreach ($keys as $key) {
                $values[$key] = $seal->value($key, $generation, $size);
            }
            $subject->setMany($values);
            $got = $subject->getMany($keys);
            $verifier->that(\count($got) === OwnKeys::COUNT, $number);
            foreach ($keys as $key) {
                $verifier->value($key, $got[$key] ?? null, $generation, $generation);
            }

            return 2 * OwnKeys::COUNT * $size;
        }, 2 * OwnKeys::COUNT);
    }
}
