<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

use Larder\Bench\Subject\Repeating;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Extras;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;
use LogicException;

/**
 * Gets as in HotGet, beside one process that replaces values, those that are read among them, by equal ones. Parameters: `value`
 * (int) and `writer`, its sets a second (0: there is none).
 */
final class Readers implements Operations, Extras
{
    /** Keys that the writer goes through; the first are those that are read. */
    private const WRITTEN = 64;

    private ?Writer $writer = null;

    public function needs(): array
    {
        return [Repeating::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        \assert($subject instanceof Repeating);
        Loop::fill($subject, $job->prefix, self::value($job));
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof Repeating);
        $pace = $job->int('writer', 0);
        if ($pace > 0 && $worker === 0) {
            // Before the first get: what this process has pinned, the writer would inherit.
            $this->writer = new Writer($pace, self::write($subject, $job));
        }

        return Loop::step($subject, $job->prefix, self::value($job), $job->seed + $worker, $job->checked);
    }

    public function extras(Subject $subject, Job $job): array
    {
        if ($job->int('writer', 0) === 0) {
            return [];
        }

        // It may be fewer than asked for: readers that hold the writer up are a finding.
        return ['sets beside, per second' => ($this->writer ?? throw new LogicException('no step was made'))->end()];
    }

    /** @return \Closure(int): void */
    private static function write(Repeating $subject, Job $job): \Closure
    {
        $pairs = [];
        for ($number = 0; $number < self::WRITTEN; ++$number) {
            $key = Loop::keys($job->prefix)[$number] ?? \sprintf('%swritten:%d', $job->prefix, $number);
            $pairs[] = [$key, self::value($job)->make($number)];
        }

        return static function (int $turn) use ($subject, $pairs): void {
            [$key, $value] = $pairs[$turn % self::WRITTEN];
            $subject->setObject($key, $value);
        };
    }

    private static function value(Job $job): Value
    {
        return isset($job->parameters['value']) ? Value::of($job) : Value::Int;
    }
}
