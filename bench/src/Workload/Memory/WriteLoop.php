<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Objects;
use Larder\Bench\Subject\RepeatedWrites;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;
use Larder\Testbed\Value\SealedBytes;

/**
 * Sets of the same eight keys in a loop inside the subject, each worker its own. Parameter: `size` (100), bytes of a
 * value; 0: an int.
 *
 * A step sets all of them to one value, again and again, and then reads one back; the next step has another value.
 */
final readonly class WriteLoop implements Operations
{
    private const KEYS = 8;
    private const SETS = 1024;

    /** No multiple of the keys: each is read back with each value. */
    private const VALUES = 9;

    public function needs(): array
    {
        return [Objects::class, RepeatedWrites::class];
    }

    public static function value(int $size, int $number): int|string
    {
        return $size === 0 ? 4_000_000_007 + $number : (new SealedBytes())->value((string) $number, 0, $size);
    }

    public function fill(Subject $subject, Job $job): void
    {
        // What is read back has been set just before.
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof Objects && $subject instanceof RepeatedWrites);
        $own = $job->ownKeys($worker, 'write', self::KEYS);
        $keys = array_map(static fn(int $set): string => $own[$set % self::KEYS], range(1, self::SETS));
        $size = $job->int('size', 100);
        $values = array_map(static fn(int $number): int|string => self::value($size, $number), range(1, self::VALUES));
        $isChecked = $job->checked;
        $steps = 0;

        $run = static function () use ($subject, $own, $keys, $values, $isChecked, &$steps): int {
            $value = $values[++$steps % self::VALUES];
            $subject->setEach($keys, $value);
            $key = $own[$steps % self::KEYS];
            if ($subject->getObject($key) !== $value && $isChecked) {
                throw new WrongReply($key . ': not the value that was stored last');
            }

            return 0;
        };

        return new Step($run, self::SETS, static function () use (&$steps): int {
            return $steps;
        }, 'one key in turn, read back');
    }
}
