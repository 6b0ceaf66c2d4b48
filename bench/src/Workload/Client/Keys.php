<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Client;

use Larder\Bench\Check\Seal;
use Larder\Bench\Check\Verifier;
use Larder\Bench\Subject\KeyValue;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;

/** Sets a key and gets it, four keys in turn. Parameter: `size` in bytes (32). */
final readonly class Keys implements Operations
{
    public const SIZE = 32;

    public function needs(): array
    {
        return [KeyValue::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        // Every get follows a set.
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof KeyValue);
        $keys = OwnKeys::of($job, $worker);
        $size = OwnKeys::size($job, self::SIZE);
        $seal = new Seal();
        $verifier = Verifier::of($job->checked);
        $generation = OwnKeys::firstGeneration($job);

        return new Step(static function () use ($subject, $keys, $size, $seal, $verifier, &$generation): int {
            $key = $keys[++$generation & 3];
            $subject->set($key, $seal->value($key, $generation, $size));
            $verifier->value($key, $subject->get($key), $generation, $generation);

            return 2 * $size;
        }, 2);
    }
}
