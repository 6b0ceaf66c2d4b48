<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

use Closure;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Objects;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Encoding\SampledLeaf;
use Larder\Bench\Workload\Encoding\Shape;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;
use LogicException;

/**
 * Gets in a loop inside the subject. A step has enough of them that what is around them (the clock, the check, the
 * call of the step) takes less than a hundredth of its time.
 *
 * Parameters: `value`, which a subject that is named for one kind of values (`value-int`) overrules, and `writer` (0):
 * how many sets a second one process does beside the gets. It replaces values, those that are read among them, by equal
 * ones.
 *
 * A step asks for one key, the next step for the next key. The last reply of a step is checked at one place, another
 * one each time, and after step 1, 2, 4, 8 and so on as a whole: to compare every copy of a large array would cost as
 * much as to make it.
 */
final class GetLoop implements Operations
{
    private const KEYS = 8;

    /** Keys that the writer sets in turn; the first are those that are read. */
    private const WRITTEN = 64;

    /** Places of a value at which replies are checked. */
    private const PLACES = 64;

    /** Nanoseconds of a step. */
    private const LONG = 200_000;
    private const MOST = 16_384;

    private ?PacedWriter $writer = null;

    /** @param Value $value where neither parameter nor subject names one */
    public function __construct(private readonly Value $value = Value::Rows) {}

    /** @return non-empty-list<string> */
    public static function keys(string $prefix): array
    {
        return array_map(
            static fn(int $number): string => \sprintf('%sloop:%d', $prefix, $number),
            range(1, self::KEYS),
        );
    }

    public function needs(): array
    {
        return [Objects::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        \assert($subject instanceof Objects);
        $value = $this->value($job);
        foreach (self::keys($job->prefix) as $number => $key) {
            $subject->setObject($key, $value->make($number));
        }
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof Objects);
        $keys = self::keys($job->prefix);
        $value = $this->value($job);
        $pace = $job->int('writer', 0);
        if ($pace > 0 && $worker === 0) {
            // Before the first get: the writer would inherit what this process has pinned.
            $this->writer = new PacedWriter($pace, self::write($subject, $job->prefix, $value));
        }
        $values = array_map($value->make(...), array_keys($keys));
        $seed = $job->seed + $worker;
        $places = array_map(static fn(mixed $one): array => SampledLeaf::in($one, $seed, self::PLACES), $values);
        $isChecked = $job->checked;
        $times = Step::repetitions(
            static fn(int $times): mixed => $subject->getRepeatedly($keys[0], $times),
            self::LONG,
            self::MOST,
        );
        $turn = $seed % self::KEYS;
        $steps = 0;
        $run = static function () use (
            $subject,
            $keys,
            $values,
            $places,
            $isChecked,
            $times,
            &$turn,
            &$steps,
        ): int {
            $turn = ($turn + 1) % self::KEYS;
            ++$steps;
            $got = $subject->getRepeatedly($keys[$turn], $times);
            if (!$isChecked) {
                $got = $values[$turn];
            }
            $isRight = $places[$turn][$steps % self::PLACES]->isIn($got)
                && (($steps & $steps - 1) !== 0 || Shape::same($got, $values[$turn]));
            if (!$isRight) {
                throw new WrongReply($keys[$turn] . ($got === null
                    ? ': no value, though one was stored'
                    : ': another value than was stored'));
            }

            return 0;
        };

        return new Step(
            $run,
            $times,
            static function () use (&$steps): int {
                return $steps;
            },
            \sprintf('the last of each step, at one of %d places in turn', self::PLACES),
            $worker === 0 && $pace > 0 ? fn(): array => $this->writerRate() : null,
        );
    }

    /** @return array<string, float> */
    private function writerRate(): array
    {
        // It may be fewer than asked for: that readers hold the writer up is a finding.
        return [
            'sets beside, per second' => ($this->writer ?? throw new LogicException('no step was made'))->end(),
        ];
    }

    /** @return Closure(int): void */
    private static function write(Objects $subject, string $prefix, Value $value): Closure
    {
        $pairs = [];
        for ($number = 0; $number < self::WRITTEN; ++$number) {
            $key = self::keys($prefix)[$number] ?? \sprintf('%swritten:%d', $prefix, $number);
            $pairs[] = [$key, $value->make($number)];
        }

        return static function (int $turn) use ($subject, $pairs): void {
            [$key, $value] = $pairs[$turn % self::WRITTEN];
            $subject->setObject($key, $value);
        };
    }

    private function value(Job $job): Value
    {
        return Value::ofSubject($job->subject)
            ?? (isset($job->parameters['value']) ? Value::of($job) : $this->value);
    }
}
