<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Published;

use Closure;
use Larder\Bench\Check\Verifier;
use Larder\Bench\Subject\Counting;
use Larder\Bench\Subject\CountingMany;
use Larder\Bench\Subject\KeyValue;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\Objects;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\ManyKeys\NestedObject;
use Larder\Bench\Workload\ManyKeys\ObjectKeys;

/**
 * The values of the source and its operations on them, for one client. Gets and increments are checked each time, sets
 * and deletions once after the clock has stopped.
 */
final readonly class MultiKeyWork
{
    public const SET_SINGLE = 'Single-Set';
    public const SET_OBJECT = 'Set-Object';
    public const INCREMENT_SINGLE = 'Single-Incr';
    public const DELETE_SINGLE = 'Single-Del';
    public const GET_SINGLE = 'Single-Get';
    public const GET_MANY = 'Multi-Get';
    public const GET_OBJECT = 'Get-Object';
    public const GET_OBJECTS = 'MulGet-Object';
    public const SET_MANY = 'Multi-Set';
    public const SET_OBJECTS = 'MulSet-Object';
    public const INCREMENT_MANY = 'Multi-Incr';
    public const DELETE_MANY = 'Multi-Del';

    /** The twelve tests in the groups of the source, by the captions of their columns. */
    public const BLOCKS = [
        [self::SET_SINGLE, self::SET_OBJECT, self::INCREMENT_SINGLE, self::DELETE_SINGLE],
        [self::GET_SINGLE, self::GET_MANY, self::GET_OBJECT, self::GET_OBJECTS],
        [self::SET_MANY, self::SET_OBJECTS, self::INCREMENT_MANY, self::DELETE_MANY],
    ];

    private const OF_OBJECTS = [self::SET_OBJECT, self::GET_OBJECT, self::GET_OBJECTS, self::SET_OBJECTS];

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

    /** @return class-string<Subject> what a client must be able to do */
    public static function needs(string $test): string
    {
        return match ($test) {
            self::SET_SINGLE, self::GET_SINGLE, self::DELETE_SINGLE => KeyValue::class,
            self::SET_OBJECT, self::GET_OBJECT => Objects::class,
            self::INCREMENT_SINGLE => Counting::class,
            self::INCREMENT_MANY => CountingMany::class,
            default => ManyKeys::class,
        };
    }

    /** @return float seconds */
    public function measure(string $test, int $iterations): float
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

    /** True if one call has many keys. */
    private static function isMulti(string $test): bool
    {
        return \in_array(self::needs($test), [ManyKeys::class, CountingMany::class], true);
    }

    private function prepare(string $test): void
    {
        if (\in_array($test, self::OF_OBJECTS, true)) {
            // In the source an earlier test has stored them.
            (new ObjectKeys($this->subject, self::isMulti($test)))->set(
                array_map(NestedObject::around(...), $this->payloads),
            );
        }
        if ($this->subject instanceof KeyValue) {
            foreach ($this->values as $key => $value) {
                // Without this, a set that does nothing would look right.
                $test === self::SET_SINGLE || $test === self::SET_MANY
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
    private function iteration(string $test): Closure
    {
        $subject = $this->subject;
        $objects = new ObjectKeys($subject, self::isMulti($test));
        $made = array_map(NestedObject::around(...), $this->payloads);
        $keys = array_keys($this->values);
        $objectKeys = array_keys($this->payloads);
        $counters = array_keys($this->ints);

        return match (true) {
            $test === self::SET_OBJECT,
            $test === self::SET_OBJECTS => static fn() => $objects->set($made),
            $test === self::GET_OBJECT,
            $test === self::GET_OBJECTS => fn() => $this->same($objects->payloads($objectKeys), $this->payloads),
            $test === self::SET_MANY && $subject instanceof ManyKeys => fn() => $subject->setMany($this->values),
            $test === self::GET_MANY && $subject instanceof ManyKeys => fn() => $this->same(
                $subject->getMany($keys),
                $this->values,
            ),
            $test === self::DELETE_MANY && $subject instanceof ManyKeys => static fn() => $subject->deleteMany(
                $keys,
            ),
            $test === self::INCREMENT_MANY && $subject instanceof CountingMany => fn(int $nth) => $this->counted(
                $subject->incrementMany($counters),
                $nth,
            ),
            $test === self::INCREMENT_SINGLE && $subject instanceof Counting => fn(int $nth) => $this->counted(
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

    private function one(string $test, KeyValue $subject): void
    {
        foreach ($this->values as $key => $value) {
            if ($test === self::SET_SINGLE) {
                $subject->set($key, $value);
            } elseif ($test === self::DELETE_SINGLE) {
                $subject->delete($key);
            } else {
                $this->verifier->that($subject->get($key) === $value, $key . ': not the value that was stored');
            }
        }
    }

    private function verifyAfterwards(string $test): void
    {
        if ($test === self::SET_OBJECT || $test === self::SET_OBJECTS) {
            $this->same(
                (new ObjectKeys($this->subject, self::isMulti($test)))->payloads(array_keys($this->payloads)),
                $this->payloads,
            );
        }
        $deleted = $test === self::DELETE_SINGLE || $test === self::DELETE_MANY;
        if (
            $this->subject instanceof KeyValue
            && ($deleted || $test === self::SET_SINGLE || $test === self::SET_MANY)
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
