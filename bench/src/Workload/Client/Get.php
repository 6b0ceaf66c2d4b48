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

/** Gets one of a hundred keys that all workers share. Parameter: `size` in bytes (400). */
final readonly class Get implements Operations
{
    private const KEYS = 100;
    private const SIZE = 400;

    public function needs(): array
    {
        return [KeyValue::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        \assert($subject instanceof KeyValue);
        $seal = new Seal();
        $size = OwnKeys::size($job, self::SIZE);
        foreach (self::keys($job) as $key) {
            $subject->set($key, $seal->value($key, 1, $size));
        }
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof KeyValue);
        $keys = self::keys($job);
        $size = OwnKeys::size($job, self::SIZE);
        $verifier = Verifier::of($job->checked);
        $turn = $worker * 17;

        return new Step(static function () use ($subject, $keys, $size, $verifier, &$turn): int {
            $key = $keys[++$turn % self::KEYS];
            $verifier->value($key, $subject->get($key), 1, 1);

            return $size;
        });
    }

    /** @return list<string> */
    private static function keys(Job $job): array
    {
        return array_map(static fn(int $number): string => $job->prefix . 'get:' . $number, range(1, self::KEYS));
    }
}
