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

/** Reads 200 keys in turn that were set before; all workers the same ones, from different places on. Parameter `size`: see SetGet. */
final readonly class GetOnly implements Operations
{
    public function needs(): array
    {
        return [KeyValue::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        \assert($subject instanceof KeyValue);
        $seal = new Seal();
        foreach (self::keys($job) as $key) {
            $subject->set($key, $seal->value($key, 0, $job->int('size', SetGet::SIZE)));
        }
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof KeyValue);
        $keys = self::keys($job);
        $size = $job->int('size', SetGet::SIZE);
        $verifier = Verifier::of($job->checked);
        // A prime: no two of a few workers walk side by side.
        $turn = $worker * 67;

        return new Step(static function () use ($subject, $keys, $size, $verifier, &$turn): int {
            $key = $keys[++$turn % SetGet::KEYS];
            $verifier->value($key, $subject->get($key), 0, 0);

            return $size;
        });
    }

    /** @return non-empty-list<string> */
    private static function keys(Job $job): array
    {
        return array_map(static fn(int $number): string => \sprintf('%sget:%d', $job->prefix, $number), range(1, SetGet::KEYS));
    }
}
