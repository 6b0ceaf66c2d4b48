<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\ManyKeys;

use Closure;
use InvalidArgumentException;
use Larder\Bench\Check\Verifier;
use Larder\Bench\Subject\Counting;
use Larder\Bench\Subject\CountingMany;
use Larder\Bench\Subject\KeyValue;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;
use Larder\Testbed\Value\SealedBytes;

/**
 * A batch of keys by one call (Many…), or key by key (Single…). Parameters: those of Batch, and `present` of the
 * deletions.
 *
 * A get or an increment is checked each time. A set has no reply that shows anything, so every eleventh batch is read
 * back, and the time of that counts. What is set is made before the clock runs, in three generations: sealing 50 times
 * 24 KB would be a good part of what is measured.
 */
enum BatchOperations: string implements Operations
{
    /** All workers read the same keys. */
    case ManyGet = 'many_get';
    case SingleGet = 'single_get';

    /** Each worker has its own keys. */
    case ManySet = 'many_set';
    case SingleSet = 'single_set';

    /**
     * Each worker has its own keys. In the source only the first of 1,000 batches finds what it deletes. `present`
     * (256): one of that many batches is set before and looked for afterwards, within the time; 1: each.
     */
    case ManyDelete = 'many_delete';
    case SingleDelete = 'single_delete';

    /** Adds 1. Each worker has its own counters, so that every sum is known. */
    case ManyIncrement = 'many_increment';
    case SingleIncrement = 'single_increment';

    /** Objects three deep, as in the source; all workers read the same ones. */
    case ManyGetObjects = 'many_get_objects';
    case SingleGetObjects = 'single_get_objects';

    /** Serializing counts. Each worker has its own keys. */
    case ManySetObjects = 'many_set_objects';
    case SingleSetObjects = 'single_set_objects';

    private const GENERATIONS = 3;

    /** A prime: it falls into step neither with the batches nor with a client that loses every thousandth set. */
    private const CHECKED = 11;

    public function needs(): array
    {
        return match ($this) {
            self::ManyIncrement => [CountingMany::class],
            self::SingleIncrement => [Counting::class],
            self::ManyGetObjects, self::ManySetObjects => ObjectKeys::needs(true),
            self::SingleGetObjects, self::SingleSetObjects => ObjectKeys::needs(false),
            default => [$this->isMany() ? ManyKeys::class : KeyValue::class],
        };
    }

    public function fill(Subject $subject, Job $job): void
    {
        $seal = new SealedBytes();
        if ($this === self::ManyGet || $this === self::SingleGet) {
            \assert($subject instanceof KeyValue);
            foreach ($this->batches($job, 0) as $batch) {
                foreach ($batch->values($seal, 0) as $key => $value) {
                    $subject->set($key, $value);
                }
            }
        } elseif ($this === self::ManyGetObjects || $this === self::SingleGetObjects) {
            $objects = new ObjectKeys($subject, $this->isMany());
            foreach ($this->batches($job, 0) as $batch) {
                $objects->set($batch->objects($seal, 0));
            }
        }
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        $batches = $this->batches($job, $worker);
        $verifier = Verifier::of($job->checked);
        $checked = 0;
        $run = match ($this) {
            self::ManyGet, self::SingleGet => $this->gets($subject, $batches, $verifier, $worker),
            self::ManySet, self::SingleSet => $this->sets($subject, $batches, $verifier, $checked),
            self::ManyDelete, self::SingleDelete => $this->deletions($subject, $batches, $verifier, $job, $checked),
            self::ManyIncrement, self::SingleIncrement => $this->increments($subject, $batches, $verifier),
            self::ManyGetObjects,
            self::SingleGetObjects => $this->getsOfObjects($subject, $batches, $verifier, $worker),
            self::ManySetObjects,
            self::SingleSetObjects => $this->setsOfObjects($subject, $batches, $verifier, $checked),
        };

        $how = $this->sample();

        return new Step($run, Batch::size($job), $how === '' ? null : static function () use (&$checked): int {
            return $checked;
        }, $how);
    }

    /** How a sample of the replies is checked, for the report; empty: each reply is checked. */
    private function sample(): string
    {
        return match ($this) {
            self::ManySet, self::SingleSet, self::ManySetObjects, self::SingleSetObjects => 'by reading it back',
            self::ManyDelete, self::SingleDelete => 'by looking for what was deleted',
            default => '',
        };
    }

    private function isMany(): bool
    {
        return str_starts_with($this->value, 'many_');
    }

    /** Null: key by key. */
    private function many(Subject $subject): ?ManyKeys
    {
        return $this->isMany() && $subject instanceof ManyKeys ? $subject : null;
    }

    /** @return non-empty-list<Batch> */
    private function batches(Job $job, int $worker): array
    {
        return Batch::all($job, match ($this) {
            self::ManyGet, self::SingleGet => 'all',
            self::ManySet, self::SingleSet => 'set' . $worker,
            self::ManyDelete, self::SingleDelete => 'delete' . $worker,
            self::ManyIncrement, self::SingleIncrement => 'int' . $worker,
            self::ManyGetObjects => 'objects',
            self::SingleGetObjects => 'object',
            self::ManySetObjects => 'set-objects' . $worker,
            self::SingleSetObjects => 'set-object' . $worker,
        });
    }

    /**
     * @param non-empty-list<Batch> $batches
     *
     * @return Closure(): int
     */
    private function gets(Subject $subject, array $batches, Verifier $verifier, int $turn): Closure
    {
        \assert($subject instanceof KeyValue);
        $many = $this->many($subject);
        $count = \count($batches);

        return static function () use ($subject, $many, $batches, $count, $verifier, &$turn): int {
            return self::read($subject, $many, $batches[$turn++ % $count]->keys, 0, $verifier);
        };
    }

    /**
     * @param non-empty-list<Batch> $batches
     *
     * @return Closure(): int
     */
    private function sets(Subject $subject, array $batches, Verifier $verifier, int &$checked): Closure
    {
        \assert($subject instanceof KeyValue);
        $seal = new SealedBytes();
        $values = array_map(
            static fn(int $generation): array => array_map(
                static fn(Batch $batch): array => $batch->values($seal, $generation),
                $batches,
            ),
            range(0, self::GENERATIONS - 1),
        );
        $bytes = array_map(static fn(Batch $batch): int => $batch->bytes(), $batches);
        $many = $this->many($subject);
        $count = \count($batches);
        $turn = 0;

        return static function () use (
            $subject,
            $many,
            $batches,
            $count,
            $values,
            $bytes,
            $verifier,
            &$turn,
            &$checked,
        ): int {
            $index = $turn % $count;
            $generation = intdiv($turn, $count) % self::GENERATIONS;
            if ($many !== null) {
                $many->setMany($values[$generation][$index]);
            } else {
                foreach ($values[$generation][$index] as $key => $value) {
                    $subject->set($key, $value);
                }
            }

            if ($turn++ % self::CHECKED !== 0) {
                return $bytes[$index];
            }
            $keys = $batches[$index]->keys;
            $checked += \count($keys);

            return $bytes[$index] + self::read($subject, $many, $keys, $generation, $verifier);
        };
    }

    /**
     * @param non-empty-list<Batch> $batches
     *
     * @return Closure(): int
     */
    private function deletions(
        Subject $subject,
        array $batches,
        Verifier $verifier,
        Job $job,
        int &$checked,
    ): Closure {
        \assert($subject instanceof KeyValue);
        $present = $job->int('present', 256);
        if ($present < 1) {
            throw new InvalidArgumentException(\sprintf('present must be 1 or more, not %d', $present));
        }
        $seal = new SealedBytes();
        $values = array_map(static fn(Batch $batch): array => $batch->values($seal, 0), $batches);
        $many = $this->many($subject);
        $count = \count($batches);
        $turn = 0;

        return static function () use (
            $subject,
            $many,
            $batches,
            $count,
            $values,
            $present,
            $verifier,
            &$turn,
            &$checked,
        ): int {
            $index = $turn % $count;
            $keys = $batches[$index]->keys;
            $isPresent = $turn++ % $present === 0;
            if ($isPresent) {
                $many !== null
                    ? $many->setMany($values[$index])
                    : array_map($subject->set(...), $keys, $values[$index]);
            }
            $many !== null ? $many->deleteMany($keys) : array_map($subject->delete(...), $keys);
            if ($isPresent) {
                $checked += \count($keys);
                $left = $many !== null
                    ? $many->getMany($keys)
                    : array_filter(array_map($subject->get(...), $keys), \is_string(...));
                $verifier->that($left === [], 'keys that are still there after their deletion');
            }

            return 0;
        };
    }

    /**
     * @param non-empty-list<Batch> $batches
     *
     * @return Closure(): int
     */
    private function increments(Subject $subject, array $batches, Verifier $verifier): Closure
    {
        \assert($subject instanceof Counting);
        // Each worker sets its counters itself: what an earlier window left there is no known start.
        foreach ($batches as $batch) {
            array_map($subject->setCounter(...), $batch->keys, $batch->numbers);
        }
        $many = $this->isMany() && $subject instanceof CountingMany ? $subject : null;
        $count = \count($batches);
        $turn = 0;

        return static function () use ($subject, $many, $batches, $count, $verifier, &$turn): int {
            $batch = $batches[$turn % $count];
            $rounds = intdiv($turn++, $count) + 1;
            $sums = $many?->incrementMany($batch->keys);
            foreach ($batch->keys as $index => $key) {
                $sum = $sums === null ? $subject->increment($key) : $sums[$key] ?? -1;
                $verifier->counter($key, $sum, $batch->numbers[$index] + $rounds);
            }
            $verifier->that(
                $sums === null || \count($sums) === \count($batch->keys),
                'more counters in the reply than were asked for',
            );

            return 0;
        };
    }

    /**
     * @param non-empty-list<Batch> $batches
     *
     * @return Closure(): int
     */
    private function getsOfObjects(Subject $subject, array $batches, Verifier $verifier, int $turn): Closure
    {
        $objects = new ObjectKeys($subject, $this->isMany());
        $count = \count($batches);

        return static function () use ($objects, $batches, $count, $verifier, &$turn): int {
            $keys = $batches[$turn++ % $count]->keys;

            return self::verified($verifier, $keys, $objects->payloads($keys), 0);
        };
    }

    /**
     * @param non-empty-list<Batch> $batches
     *
     * @return Closure(): int
     */
    private function setsOfObjects(Subject $subject, array $batches, Verifier $verifier, int &$checked): Closure
    {
        $objects = new ObjectKeys($subject, $this->isMany());
        $seal = new SealedBytes();
        $made = array_map(
            static fn(int $generation): array => array_map(
                static fn(Batch $batch): array => $batch->objects($seal, $generation),
                $batches,
            ),
            range(0, self::GENERATIONS - 1),
        );
        $count = \count($batches);
        $turn = 0;

        return static function () use ($objects, $batches, $count, $made, $verifier, &$turn, &$checked): int {
            $index = $turn % $count;
            $generation = intdiv($turn, $count) % self::GENERATIONS;
            $objects->set($made[$generation][$index]);
            if ($turn++ % self::CHECKED === 0) {
                $keys = $batches[$index]->keys;
                $checked += \count($keys);
                self::verified($verifier, $keys, $objects->payloads($keys), $generation);
            }

            return 0;
        };
    }

    /**
     * Reads keys, and checks that exactly these come back, each with the value that was set last.
     *
     * @param ManyKeys|null          $many null: key by key
     * @param non-empty-list<string> $keys
     *
     * @return int the bytes of the values
     */
    private static function read(
        KeyValue $subject,
        ?ManyKeys $many,
        array $keys,
        int $generation,
        Verifier $verifier,
    ): int {
        if ($many !== null) {
            return self::verified($verifier, $keys, $many->getMany($keys), $generation);
        }
        $bytes = 0;
        foreach ($keys as $key) {
            $value = $subject->get($key);
            $verifier->value($key, $value, $generation, $generation);
            $bytes += \strlen($value ?? '');
        }

        return $bytes;
    }

    /**
     * @param non-empty-list<string>     $keys
     * @param array<string, string|null> $got
     *
     * @return int the bytes of the values
     */
    private static function verified(Verifier $verifier, array $keys, array $got, int $generation): int
    {
        $bytes = 0;
        foreach ($keys as $key) {
            $value = $got[$key] ?? null;
            $verifier->value($key, $value, $generation, $generation);
            $bytes += \strlen($value ?? '');
        }
        $verifier->that(\count($got) === \count($keys), 'more keys in the reply than were asked for');

        return $bytes;
    }
}
