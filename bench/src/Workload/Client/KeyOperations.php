<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Client;

use Closure;
use Larder\Bench\Check\Verifier;
use Larder\Bench\Subject\Appending;
use Larder\Bench\Subject\Counting;
use Larder\Bench\Subject\KeyValue;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;
use Larder\Testbed\Value\SealedBytes;

/**
 * Short calls for one key or four, each checked. Parameter: `size` of the values in bytes.
 *
 * An enum, because php-fpm gets the operations of a request serialized.
 */
enum KeyOperations: string implements Operations
{
    /** Sets a key and gets it, four keys in turn. */
    case Keys = 'keys';

    /** Gets one of a hundred keys that all workers share. */
    case Get = 'get';

    /**
     * Sets one of the worker's hundred keys.
     *
     * A set has no reply that could be wrong, so every eleventh is read back at once, within the step. Eleven has no
     * factor in common with a hundred or a thousand: each key has its turn, and a client that loses every n-th set is
     * found after 11 n sets.
     */
    case Set = 'set_only';

    /**
     * Sets a counter, adds one three times and takes one three times. The start differs from round to round, so that a
     * reply of the round before shows.
     */
    case Increase = 'increase';

    /** Sets the first part of a value, appends three more, gets the whole. */
    case Append = 'append';

    /** Sets four keys by one call and gets them by one call: exactly these must come back. */
    case MultipleKeys = 'multiple_keys';

    /**
     * Sets a key and reads it back, 200 keys in turn.
     *
     * As published, the values are the numbers 1 to 200. Nothing that short can prove whose it is and how old, so these
     * are sealed ones of 32 bytes. Each worker has its own keys: only then must a get return the very last set.
     */
    case SetGet = 'set_get';

    /** Reads 200 keys in turn that were set before; all workers the same ones, each starting at another key. */
    case GetOnly = 'get_only';

    /** Keys of `set_get` and `get_only`. */
    public const SOURCE_KEYS = 200;

    private const HUNDRED = 100;
    private const CHECKED = 11;

    /** Bytes of each of the four parts that `append` puts together. */
    private const PART = 16;

    public function needs(): array
    {
        return match ($this) {
            self::Increase => [Counting::class],
            self::Append => [Appending::class],
            self::MultipleKeys => [ManyKeys::class],
            default => [KeyValue::class],
        };
    }

    public function fill(Subject $subject, Job $job): void
    {
        if ($this !== self::Get && $this !== self::GetOnly) {
            // Every round sets first what it reads.
            return;
        }
        \assert($subject instanceof KeyValue);
        $seal = new SealedBytes();
        foreach ($this->shared($job) as $key) {
            $subject->set($key, $seal->value($key, 1, $this->size($job)));
        }
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        $verifier = Verifier::of($job->checked);
        $first = $job->firstGeneration();
        $checked = 0;
        $size = $this->size($job);
        $name = match ($this) {
            self::Keys => 'key',
            self::Set => 'set',
            self::Increase => 'counter',
            self::Append => 'string',
            self::MultipleKeys => 'many',
            self::SetGet => 'set-get',
            self::Get, self::GetOnly => 'get',
        };
        $own = $job->ownKeys($worker, $name, match ($this) {
            self::Set => self::HUNDRED,
            self::SetGet => self::SOURCE_KEYS,
            default => Job::OWN_KEYS,
        });

        return match (true) {
            $this === self::Keys && $subject instanceof KeyValue
                => new Step(self::setAndGet($subject, $own, $size, $verifier, $first), 2),
            $this === self::SetGet && $subject instanceof KeyValue
                => new Step(self::setAndGet($subject, $own, $size, $verifier, $first)),
            $this === self::Set && $subject instanceof KeyValue
                => new Step(
                    self::set($subject, $own, $size, $verifier, $first, $checked),
                    1,
                    static function () use (&$checked): int {
                        return $checked;
                    },
                    'by reading it back',
                ),
            // A prime and an odd number: no two of a few workers walk side by side.
            $this === self::Get && $subject instanceof KeyValue
                => new Step(self::get($subject, $this->shared($job), $size, $verifier, $worker * 17)),
            $this === self::GetOnly && $subject instanceof KeyValue
                => new Step(self::get($subject, $this->shared($job), $size, $verifier, $worker * 67)),
            $this === self::Increase && $subject instanceof Counting
                => new Step(self::increase($subject, $own[0], $verifier, $first), 7),
            $this === self::Append && $subject instanceof Appending
                => new Step(self::append($subject, $own[0], $verifier, $first), 5),
            $this === self::MultipleKeys && $subject instanceof ManyKeys
                => new Step(self::multipleKeys($subject, $own, $size, $verifier, $first), 2 * Job::OWN_KEYS),
            default => throw new \LogicException($subject::class . ' cannot do this'),
        };
    }

    private function size(Job $job): int
    {
        return $job->size($this === self::Get || $this === self::Set ? 400 : 32);
    }

    /** @return non-empty-list<string> the keys that all workers read */
    private function shared(Job $job): array
    {
        return array_map(
            static fn(int $number): string => $job->prefix . 'get:' . $number,
            range(1, $this === self::Get ? self::HUNDRED : self::SOURCE_KEYS),
        );
    }

    /**
     * @param non-empty-list<string> $keys
     *
     * @return Closure(): int
     */
    private static function setAndGet(
        KeyValue $subject,
        array $keys,
        int $size,
        Verifier $verifier,
        int $generation,
    ): Closure {
        $seal = new SealedBytes();
        $count = \count($keys);

        return static function () use ($subject, $keys, $count, $size, $seal, $verifier, &$generation): int {
            $key = $keys[++$generation % $count];
            $subject->set($key, $seal->value($key, $generation, $size));
            $verifier->value($key, $subject->get($key), $generation, $generation);

            return 2 * $size;
        };
    }

    /**
     * @param non-empty-list<string> $keys
     *
     * @return Closure(): int
     */
    private static function set(
        KeyValue $subject,
        array $keys,
        int $size,
        Verifier $verifier,
        int $generation,
        int &$checked,
    ): Closure {
        $seal = new SealedBytes();
        $turn = 0;

        return static function () use ($subject, $keys, $size, $seal, $verifier, &$generation, &$turn, &$checked): int {
            $key = $keys[++$turn % self::HUNDRED];
            $subject->set($key, $seal->value($key, ++$generation, $size));
            if ($turn % self::CHECKED === 0) {
                ++$checked;
                $verifier->value($key, $subject->get($key), $generation, $generation);
            }

            return $size;
        };
    }

    /**
     * @param non-empty-list<string> $keys
     *
     * @return Closure(): int
     */
    private static function get(KeyValue $subject, array $keys, int $size, Verifier $verifier, int $turn): Closure
    {
        $count = \count($keys);

        return static function () use ($subject, $keys, $count, $size, $verifier, &$turn): int {
            $key = $keys[++$turn % $count];
            $verifier->value($key, $subject->get($key), 1, 1);

            return $size;
        };
    }

    /** @return Closure(): int */
    private static function increase(Counting $subject, string $key, Verifier $verifier, int $turn): Closure
    {
        return static function () use ($subject, $key, $verifier, &$turn): int {
            $start = ++$turn % 1000 * 10 + 1;
            $subject->setCounter($key, $start);
            for ($more = 1; $more <= 3; ++$more) {
                $verifier->counter($key, $subject->increment($key), $start + $more);
            }
            for ($more = 2; $more >= 0; --$more) {
                $verifier->counter($key, $subject->decrement($key), $start + $more);
            }

            return 0;
        };
    }

    /** @return Closure(): int */
    private static function append(Appending $subject, string $key, Verifier $verifier, int $generation): Closure
    {
        $seal = new SealedBytes();

        return static function () use ($subject, $key, $seal, $verifier, &$generation): int {
            $parts = str_split($seal->value($key, ++$generation, 4 * self::PART), self::PART);
            $subject->set($key, $parts[0]);
            $subject->append($key, $parts[1]);
            $subject->append($key, $parts[2]);
            $subject->append($key, $parts[3]);
            $verifier->value($key, $subject->get($key), $generation, $generation);

            return 8 * self::PART;
        };
    }

    /**
     * @param non-empty-list<string> $keys
     *
     * @return Closure(): int
     */
    private static function multipleKeys(
        ManyKeys $subject,
        array $keys,
        int $size,
        Verifier $verifier,
        int $generation,
    ): Closure {
        $seal = new SealedBytes();
        $wrongCount = $keys[0] . ' and three more: not as many values as keys';

        return static function () use ($subject, $keys, $size, $seal, $verifier, $wrongCount, &$generation): int {
            ++$generation;
            $values = [];
            foreach ($keys as $key) {
                $values[$key] = $seal->value($key, $generation, $size);
            }
            $subject->setMany($values);
            $got = $subject->getMany($keys);
            $verifier->that(\count($got) === Job::OWN_KEYS, $wrongCount);
            foreach ($keys as $key) {
                $verifier->value($key, $got[$key] ?? null, $generation, $generation);
            }

            return 2 * Job::OWN_KEYS * $size;
        };
    }
}
