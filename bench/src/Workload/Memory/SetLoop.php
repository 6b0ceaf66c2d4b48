<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Objects;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Encoding\SampledLeaf;
use Larder\Bench\Workload\Encoding\Shape;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;

/**
 * Replaces values in memory; each worker has its own eight keys. Parameter: `value` (rows).
 *
 * A set has no reply that could be wrong, so every 65th is read back: a read costs some of these stores more than a
 * set. What is read is checked at one place, and after step 1, 2, 4, 8 and so on as a whole.
 */
final readonly class SetLoop implements Operations
{
    private const KEYS = 8;

    /** One more than keys, so that a key gets another value each time. */
    private const VALUES = 9;

    /** No multiple of the keys: each has its turn to be read. */
    private const SETS = 65;

    private const PLACES = 16;

    public function needs(): array
    {
        return [Objects::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        // What is read back has been set just before.
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof Objects);
        $keys = array_map(
            static fn(int $number): string => \sprintf('%sset:%d:%d', $job->prefix, $worker, $number),
            range(1, self::KEYS),
        );
        $values = array_map(Value::of($job)->make(...), range(1, self::VALUES));
        $places = array_map(
            static fn(mixed $value): array => SampledLeaf::in($value, $job->seed + $worker, self::PLACES),
            $values,
        );
        $isChecked = $job->checked;
        $turn = $steps = 0;

        $run = static function () use ($subject, $keys, $values, $places, $isChecked, &$turn, &$steps): int {
            for ($set = 0; $set < self::SETS; ++$set) {
                ++$turn;
                $subject->setObject($keys[$turn % self::KEYS], $values[$turn % self::VALUES]);
            }
            ++$steps;
            $key = $keys[$turn % self::KEYS];
            $value = $values[$turn % self::VALUES];
            $got = $subject->getObject($key);
            if (!$isChecked) {
                $got = $value;
            }
            $isRight = $places[$turn % self::VALUES][$steps % self::PLACES]->isIn($got)
                && (($steps & $steps - 1) !== 0 || Shape::same($got, $value));
            if (!$isRight) {
                throw new WrongReply($key . ($got === null
                    ? ': no value, though one was stored'
                    : ': another value than was stored last'));
            }

            return 0;
        };

        return new Step($run, self::SETS, static function () use (&$steps): int {
            return $steps;
        }, \sprintf('read back at one of %d places in turn', self::PLACES));
    }
}
