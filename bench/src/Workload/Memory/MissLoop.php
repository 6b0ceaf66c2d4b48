<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Freshness;
use Larder\Bench\Subject\Remembering;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Encoding\Shape;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;

/**
 * Asks for keys that were never asked for, so that each value is made, which takes no time, and stored. Parameters:
 * `value` (row), and `hits` (0): so many gets of one key that is there between two misses.
 *
 * Each value that comes back is compared with what its compute made, and so is what is stored of every 65th key, and
 * that its compute is not asked again.
 */
final readonly class MissLoop implements Operations
{
    private const MISSES = 65;

    /** Seconds by which a value outlives its window, which may begin late. What lives longer fills a Redis. */
    private const BEYOND = 6.0;
    private const LEASE = 10.0;

    public function needs(): array
    {
        return [Remembering::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        // All is made in the steps.
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof Remembering);
        $value = Value::from($job->string('value', Value::Row->value))->make(1);
        $made = 0;
        $compute = static function () use ($value, &$made): mixed {
            ++$made;

            return $value;
        };
        $hits = $job->int('hits', 0);
        $freshness = new Freshness($job->warmUp + $job->seconds + self::BEYOND, 1.0, self::LEASE);
        $isChecked = $job->checked;
        $prefix = \sprintf('%smiss:%d:%d:', $job->prefix, $worker, hrtime(true));
        $number = $steps = 0;
        $run = static function () use (
            $subject,
            $compute,
            $freshness,
            $prefix,
            $hits,
            $value,
            $isChecked,
            &$number,
            &$steps,
            &$made,
        ): int {
            $before = $made;
            $got = $value;
            for ($miss = 0; $miss < self::MISSES; ++$miss) {
                $got = $subject->remember($prefix . ++$number, $compute, $freshness);
                for ($hit = 0; $hit < $hits; ++$hit) {
                    $subject->remember($prefix . 'hit', $compute, $freshness);
                }
            }
            $isMade = $made - $before === self::MISSES + ($before === 0 && $hits > 0 ? 1 : 0);
            ++$steps;
            $again = $subject->remember($prefix . $number, $compute, $freshness);
            $isStored = $made - $before === self::MISSES + ($before === 0 && $hits > 0 ? 1 : 0);
            if ($isChecked && !($isMade && $isStored && Shape::same($got, $value) && Shape::same($again, $value))) {
                throw new WrongReply(
                    $prefix . $number . ($isMade ? ': not stored as it was made' : ': not made once for each miss'),
                );
            }

            return 0;
        };

        return new Step($run, self::MISSES, static function () use (&$steps): int {
            return $steps;
        }, 'the last of each step, as it was made and as it was stored');
    }
}
