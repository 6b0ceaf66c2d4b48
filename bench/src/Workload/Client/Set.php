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

/**
 * Sets one of a hundred keys of the worker's own. Parameter: `size` in bytes (400).
 *
 * A set has no reply that could be wrong, so every eleventh is read back at once, within the step. Eleven has no factor with a
 * hundred or a thousand: each key has its turn, and a client that loses every n-th set is found after 11 n at most.
 */
final readonly class Set implements Operations
{
    private const KEYS = 100;
    private const SIZE = 400;
    private const CHECKED = 11;

    public function needs(): array
    {
        return [KeyValue::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        // What is read back has been set just before.
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof KeyValue);
        $keys = OwnKeys::of($job, $worker, 'set', self::KEYS);
        $size = OwnKeys::size($job, self::SIZE);
        $seal = new Seal();
        $verifier = Verifier::of($job->checked);
        $generation = OwnKeys::firstGeneration($job);
        $turn = 0;

        return new Step(static function () use ($subject, $keys, $size, $seal, $verifier, &$generation, &$turn): int {
            $key = $keys[++$turn % self::KEYS];
            $subject->set($key, $seal->value($key, ++$generation, $size));
            if ($turn % self::CHECKED === 0) {
                $verifier->value($key, $subject->get($key), $generation, $generation);
            }

            return $size;
        });
    }
}
