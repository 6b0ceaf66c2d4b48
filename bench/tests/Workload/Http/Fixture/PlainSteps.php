<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Http\Fixture;

use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\KeyValue;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;

/**
 * A set and a get, and a get of a value that was stored before. With the parameter `fault`, one step in 50 fails.
 */
final readonly class PlainSteps implements Operations
{
    public function needs(): array
    {
        return [KeyValue::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        \assert($subject instanceof KeyValue);
        $subject->set($job->prefix . 'filled', 'before');
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        $fault = $job->string('fault', '');
        if ($fault === 'absent') {
            throw new NotApplicable('has no steps');
        }

        return new Step(static function () use ($subject, $job, $worker, $fault): int {
            \assert($subject instanceof KeyValue);
            $key = $job->prefix . $worker;
            $value = (string) hrtime(true);
            $subject->set($key, $value);
            if ($subject->get($key) !== $value || $subject->get($job->prefix . 'filled') !== 'before') {
                throw new WrongReply($key);
            }
            if ($fault !== '' && random_int(1, 50) === 1) {
                throw $fault === 'wrong'
                    ? new WrongReply('another key')
                    : new \RuntimeException('the pool is exhausted');
            }

            return \strlen($value);
        });
    }
}
