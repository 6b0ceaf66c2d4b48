<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\ManyKeys;

use Closure;
use Larder\Bench\Check\Coverage;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Calls;
use Larder\Bench\Subject\Counting;
use Larder\Bench\Subject\CountingMany;
use Larder\Bench\Subject\Floor\RawMemcached;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;
use Larder\Testbed\Value\SealedBytes;

/**
 * The same calls on one batch, one after the other with as little as possible between them, so that a client can be
 * held against a loop in C. After each step every byte of what was read last is looked at; after the first, second,
 * fourth, eighth and so on, what the servers hold.
 *
 * Deleted keys are not there but the first time. Parameters: `batch` (50) and `values`, as of the other tests of many
 * keys; `per_server`: keys for each server, in place of `batch`.
 */
final readonly class CallLoop implements Operations
{
    /** Nanoseconds of a step, so that what is around the calls is small beside them. */
    private const LONG = 2_000_000;
    private const MOST = 1_024;

    public function __construct(private Calls $calls) {}

    public function needs(): array
    {
        return [Subject::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        // Each worker stores its own, in step().
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        $perServer = $job->int('per_server', 0);
        $all = Batch::all(
            $perServer > 0 ? $job->with(['batch' => $perServer * max(1, \count($job->endpoints))]) : $job,
            $this->calls->value . $worker,
        );
        $batch = $all[0];
        $values = $this->calls === Calls::IncrementMany
            ? array_fill_keys($batch->keys, '1')
            : $batch->values(new SealedBytes(), 0);
        $checked = 0;
        if ($subject instanceof RawMemcached) {
            $this->store($subject, $values);
            $run = $subject->loop($this->calls, $values);
        } else {
            $run = $this->checked($subject, $values, $job->checked, $checked);
        }
        $times = Step::repetitions($run, self::LONG, self::MOST);

        return new Step(static function () use ($run, $times): int {
            $run($times);

            return 0;
        }, $times * \count($values), static function () use (&$checked): int {
            return $checked;
        }, $this->how());
    }

    /** For the report: see Coverage::$how. */
    private function how(): string
    {
        return match ($this->calls) {
            Calls::Get, Calls::GetMany, Calls::IncrementMany => 'the last round of each step',
            default => 'what the servers hold after the step 1, 2, 4, 8 and so on',
        };
    }

    /** @param array<string, string> $values */
    private function store(RawMemcached $subject, array $values): void
    {
        match ($this->calls) {
            Calls::Get, Calls::GetMany, Calls::IncrementMany => $subject->loop(Calls::SetMany, $values)(1),
            default => null,
        };
    }

    /**
     * @param non-empty-array<string, string> $values
     *
     * @return Closure(int): void
     */
    private function checked(Subject $subject, array $values, bool $strict, int &$checked): Closure
    {
        if (!$subject instanceof ManyKeys) {
            throw new NotApplicable('is no client of a store');
        }
        $keys = array_keys($values);
        $this->prepare($subject, $values);
        $counters = array_fill_keys($keys, 1);
        $run = $this->round($subject, $keys, $values);
        $steps = 0;

        return function (int $times) use (
            $subject,
            $keys,
            $values,
            $run,
            $strict,
            &$counters,
            &$steps,
            &$checked,
        ): void {
            for ($time = 0; $time < $times; ++$time) {
                $got = $run();
            }
            foreach ($counters as $key => $counter) {
                $counters[$key] = $counter + $times;
            }
            // A write shows nothing by itself, and a read behind each would be half of what is measured.
            if (
                ($this->calls === Calls::Set || $this->calls === Calls::SetMany || $this->calls === Calls::DeleteMany)
                && (++$steps & $steps - 1) !== 0
            ) {
                return;
            }
            $got = match ($this->calls) {
                Calls::Get, Calls::GetMany, Calls::IncrementMany => $got ?? [],
                default => $subject->getMany($keys),
            };
            $wanted = match ($this->calls) {
                Calls::DeleteMany => [],
                Calls::IncrementMany => $counters,
                default => $values,
            };
            // The order is the client's.
            ksort($got);
            ksort($wanted);
            $checked += \count($keys);
            if ($strict && $got !== $wanted) {
                throw new WrongReply(
                    \sprintf(
                        '%s of %d keys: other keys or values than were stored',
                        $this->calls->value,
                        \count($keys),
                    ),
                );
            }
        };
    }

    /** @param non-empty-array<string, string> $values */
    private function prepare(ManyKeys $subject, array $values): void
    {
        if ($this->calls === Calls::IncrementMany) {
            if (!$subject instanceof Counting) {
                throw new NotApplicable('has no counters');
            }
            foreach ($values as $key => $value) {
                $subject->setCounter($key, (int) $value);
            }
        } elseif ($this->calls !== Calls::DeleteMany) {
            $subject->setMany($values);
        }
    }

    /**
     * @param non-empty-list<string>          $keys
     * @param non-empty-array<string, string> $values
     *
     * @return Closure(): (array<string, int|string|null>|null)
     */
    private function round(ManyKeys $subject, array $keys, array $values): Closure
    {
        return match ($this->calls) {
            Calls::Get => static function () use ($subject, $keys): array {
                $got = [];
                foreach ($keys as $key) {
                    $got[$key] = $subject->get($key);
                }

                return $got;
            },
            Calls::GetMany => static fn(): array => $subject->getMany($keys),
            Calls::Set => static function () use ($subject, $values): null {
                foreach ($values as $key => $value) {
                    $subject->set($key, $value);
                }

                return null;
            },
            Calls::SetMany => static function () use ($subject, $values): null {
                $subject->setMany($values);

                return null;
            },
            Calls::DeleteMany => static function () use ($subject, $keys): null {
                $subject->deleteMany($keys);

                return null;
            },
            Calls::IncrementMany => $subject instanceof CountingMany
                ? static fn(): array => $subject->incrementMany($keys)
                : static function () use ($subject, $keys): array {
                    \assert($subject instanceof Counting);
                    $sums = [];
                    foreach ($keys as $key) {
                        $sums[$key] = $subject->increment($key);
                    }

                    return $sums;
                },
        };
    }
}
