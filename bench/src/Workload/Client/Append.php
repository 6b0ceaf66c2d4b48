<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Client;

use Larder\Bench\Check\Seal;
use Larder\Bench\Check\Verifier;
use Larder\Bench\Subject\Appending;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;

/** Sets the first part of a value, appends three more, gets the whole. */
final readonly class Append implements Operations
{
    private const PART = 16;

    public function needs(): array
    {
        return [Appending::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        // Every round sets its value first.
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof Appending);
        $key = OwnKeys::of($job, $worker, 'string')[0];
        $seal = new Seal();
        $verifier = Verifier::of($job->checked);
        $generation = OwnKeys::firstGeneration($job);

        return new Step(static function () use ($subject, $key, $seal, $verifier, &$generation): int {
            $parts = str_split($seal->value($key, ++$generation, 4 * self::PART), self::PART);
            $subject->set($key, $parts[0]);
            $subject->append($key, $parts[1]);
            $subject->append($key, $parts[2]);
            $subject->append($key, $parts[3]);
            $verifier->value($key, $subject->get($key), $generation, $generation);

            return 8 * self::PART;
        }, 5);
    }
}
