<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Published;

use Closure;
use Larder\Bench\Check\Verifier;
use Larder\Bench\Subject\Counting;
use Larder\Bench\Subject\CountingMany;
use Larder\Bench\Subject\KeyValue;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\ManyKeys\NestedObject;
use Larder\Bench\Workload\ManyKeys\ObjectKeys;

/**
 * The values of the source and its operations on them, for one client. Gets and increments are checked each time, sets
 * and deletions once after the clock has stopped.
 */
final readonly class MultiKeyWork
{
    /** @var non-empty-array<string, string> */
    private array $values;

    /** @var non-empty-array<string, int> */
    private array $ints;

    /** @var non-empty-array<string, string> the payloads of objects */
    private array $payloads;

    private Verifier $verifier;

    /** @param int<1, max> $keys per iteration */
    public function __construct(
        private Subject $subject,
        int $keys,
        string $prefix,
        bool $checked = true,
    ) {
        $numbers = range(0, $keys - 1);
        $names = static fn(string $name): array => array_map(
            static fn(int $i): string => $prefix . $name . $i,
            $numbers,
        );
        $this->values = array_combine(
            $names('test_key'),
            array_map(static fn(int $i): string => 'test_key_value_' . $i . str_repeat('a', $i * 1000), $numbers),
        );
        $this->ints = array_combine($names('test_key_int'), $numbers);
        $this->payloads = array_combine(
            $names('test_key_obj'),
            array_map(static fn(int $i): string => str_repeat('a', $i * 100), $numbers),
        );
        $this->verifier = Verifier::of($checked);
    }

    /** @return float seconds */
    public function measure(MultiKeyTest $test, int $iterations): float
    {
        $this->prepare($test);
        $iterate = $this->iteration($test);
        $begin = hrtime(true);
        for ($i = 1; $i <= $iterations; ++$i) {
            $iterate($i);
        }
        $seconds = (hrtime(true) - $begin) / 1e9;
        $this->verifyAfterwards($test);

        return $seconds;
    }

    private function prepare(MultiKeyTest $test): void
    {
        if ($test->isOfObjects()) {
            // In the source an earlier test has stored them.
            (new ObjectKeys($this->subject, $test->isMulti()))->set(
                array_map(NestedObject::around(...), $this->payloads),
            );
        }
        if ($this->subject instanceof KeyValue) {
            foreach ($this->values as $key => $value) {
                // Without this, a set that does nothing would look right.
                $test === MultiKeyTest::SetSingle || $test === MultiKeyTest::SetMany
                    ? $this->subject->delete($key)
                    : $this->subject->set($key, $value);
            }
        }
        if ($this->subject instanceof Counting) {
            foreach ($this->ints as $key => $int) {
                $this->subject->setCounter($key, $int);
            }
        }
    }

    /** @return Closure(int): void gets the number of the iteration, from 1 */
    private function iteration(MultiKeyTest $test): Closure
    {
        $subject = $this->subject;
        $objects = new ObjectKeys($subject, $test->isMulti());
        $made = array_map(NestedObject::around(...), $this->payloads);
        $keys = array_keys($this->values);
        $objectKeys = array_keys($this->payloads);
        $counters = array_keys($this->ints);

        return match (true) {
            $test === MultiKeyTest::SetObject,
            $test === MultiKeyTest::SetObjects => static fn() => $objects->set($made),
            $test === MultiKeyTest::GetObject,
            $test === MultiKeyTest::GetObjects => fn() => $this->same($objects->payloads($objectKeys), $this->payloads),
            $test === MultiKeyTest::SetMany && $subject instanceof ManyKeys => fn() => $subject->setMany($this->values),
            $test === MultiKeyTest::GetMany && $subject instanceof ManyKeys => fn() => $this->same(
                $subject->getMany($keys),
                $this->values,
            ),
            $test === MultiKeyTest::DeleteMany && $subject instanceof ManyKeys => static fn() => $subject->deleteMany(
                $keys,
            ),
            $test === MultiKeyTest::IncrementMany && $subject instanceof CountingMany => fn(int $nth) => $this->counted(
                $subject->incrementMany($counters),
                $nth,
            ),
            $test === MultiKeyTest::IncrementSingle && $subject instanceof Counting => fn(int $nth) => $this->counted(
                array_map(
                    static fn(string $key): int => $subject->increment($key),
                    array_combine($counters, $counters),
                ),
                $nth,
            ),
            $subject instanceof KeyValue => fn() => $this->one($test, $subject),
            default => throw new \LogicException('not asked whether it can'),
        };
    }

    private function one(MultiKeyTest $test, KeyValue $subject): void
    {
        foreach ($this->values as $key => $value) {
            if ($test === MultiKeyTest::SetSingle) {
                $subject->set($key, $value);
            } elseif ($test === MultiKeyTest::DeleteSingle) {
                $subject->delete($key);
            } else {
                $this->verifier->that($subject->get($key) === $value, $key . ': not the value that was stored');
            }
        }
    }

    private function verifyAfterwards(MultiKeyTest $test): void
    {
        if ($test === MultiKeyTest::SetObject || $test === MultiKeyTest::SetObjects) {
            $this->same(
                (new ObjectKeys($this->subject, $test->isMulti()))->payloads(array_keys($this->payloads)),
                $this->payloads,
            );
        }
        $deleted = $test === MultiKeyTest::DeleteSingle || $test === MultiKeyTest::DeleteMany;
        if (
            $this->subject instanceof KeyValue
            && ($deleted || $test === MultiKeyTest::SetSingle || $test === MultiKeyTest::SetMany)
        ) {
            foreach ($this->values as $key => $value) {
                $this->verifier->that(
                    $this->subject->get($key) === ($deleted ? null : $value),
                    $key . ($deleted ? ': still there after its deletion' : ': not the value that was set'),
                );
            }
        }
    }

    /** @param array<string, int> $sums */
    private function counted(array $sums, int $nth): void
    {
        foreach ($this->ints as $key => $start) {
            $this->verifier->that(($sums[$key] ?? null) === $start + $nth, $key . ': not what was added up');
        }
    }

    /**
     * @param array<string, string|null> $got
     * @param array<string, string>      $expected
     */
    private function same(array $got, array $expected): void
    {
        foreach ($expected as $key => $value) {
            $this->verifier->that(($got[$key] ?? null) === $value, $key . ': not the value that was stored');
        }
        $this->verifier->that(\count($got) === \count($expected), 'more keys in the reply than were asked for');
    }
}
