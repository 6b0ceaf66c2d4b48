<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\SetGet;

use Larder\Bench\Check\Seal;
use Larder\Bench\Check\Verifier;
use Larder\Bench\Subject\KeyValue;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;

/**
 * Sets a key and reads it back, 200 keys in turn.
 *
 * As published the values are the numbers 1 to 200. Nothing that short can prove whose it is and how old, so these are sealed
 * ones of 32 bytes (parameter `size`). Each worker has keys of its own: only then must a get return the very last set.
 */
final readonly class SetGet implements Operations
{
    public const KEYS = 200;
    public const SIZE = 32;

    public function needs(): array
    {
        return [KeyValue::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        // Every read follows a set.
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof KeyValue);
        $keys = array_map(static fn(int $number): string => \sprintf('%sset-get:%d:%d', $job->prefix, $worker, $number), range(1, self::KEYS));
        $size = $job->int('size', self::SIZE);
        $seal = new Seal();
        $verifier = Verifier::of($job->checked);
        $turn = 0;

        return new Step(static function () use ($subject, $keys, $size, $seal, $verifier, &$turn): int {
            $key = $keys[$turn % self::KEYS];
            $generation = ++$turn;
            $subject->set($key, $seal->value($key, $generation, $size));
            $verifier->value($key, $subject->get($key), $generation, $generation);

            return 2 * $size;
        });
    }
}
