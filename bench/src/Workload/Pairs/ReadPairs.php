<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Pairs;

use InvalidArgumentException;
use Larder\Bench\Check\Verifier;
use Larder\Bench\Statistics\Distribution;
use Larder\Bench\Subject\KeyValue;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;
use Larder\Testbed\Value\SealedBytes;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * Reads rows by their key at random: 25,000 of them, keys of 100 bytes, values of 400.
 *
 * Parameters: `pairs`; `reads` in per cent (100), the rest are writes; `keys`, uniform or zipf (0.99). A worker writes
 * only keys of its own share, so it knows the generation that a read of these must give; of all others any that a
 * window has written is right.
 *
 * A write that was lost would hardly ever be noticed among so many rows. So of some writes the next read is of the very
 * row: as many as make a twentieth of the reads.
 */
final readonly class ReadPairs implements Operations
{
    public const PAIRS = 25_000;

    private const KEY_BYTES = 100;
    private const VALUE_BYTES = 400;

    /** Keys of one call of the filler. */
    private const CHUNK = 500;

    /** Choices made before the clock runs, and used in turn. */
    private const CHOICES = 65_536;

    /** Operations in which the mix is exact. */
    private const MIX = 100;

    private const FILLED = 1;

    public function needs(): array
    {
        return [KeyValue::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        \assert($subject instanceof KeyValue);
        $seal = new SealedBytes();
        foreach (array_chunk(self::keys($job), self::CHUNK) as $keys) {
            $values = [];
            foreach ($keys as $key) {
                $values[$key] = $seal->value($key, self::FILLED, self::VALUE_BYTES);
            }
            if ($subject instanceof ManyKeys) {
                $subject->setMany($values);
                continue;
            }
            foreach ($values as $key => $value) {
                $subject->set($key, $value);
            }
        }
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof KeyValue);
        $keys = self::keys($job);
        $choices = self::choices($job, $worker);
        $writes = self::writes($job, $worker);
        $recheck = self::recheck($job);
        $workers = $job->workers();
        $share = intdiv(\count($keys), $workers);
        $seal = new SealedBytes();
        $verifier = Verifier::of($job->checked);
        $generation = $job->firstGeneration();
        /** @var array<int, int> $written generation by key, of this worker's last writes */
        $written = [];
        $turn = -1;
        /** @var list<int> $unread writes that the next reads look at */
        $unread = [];
        $checked = 0;

        return new Step(static function () use (
            $subject,
            $keys,
            $choices,
            $writes,
            $recheck,
            $workers,
            $worker,
            $share,
            $seal,
            $verifier,
            &$generation,
            &$written,
            &$turn,
            &$unread,
            &$checked,
        ): int {
            ++$turn;
            $choice = $choices[$turn & self::CHOICES - 1];
            if (isset($writes[$turn % self::MIX])) {
                $choice = $choice % $share * $workers + $worker;
                $key = $keys[$choice];
                $subject->set($key, $seal->value($key, ++$generation, self::VALUE_BYTES));
                $written[$choice] = $generation;
                if ($generation % $recheck === 0) {
                    $unread[] = $choice;
                    ++$checked;
                }

                return self::VALUE_BYTES;
            }
            ++$checked;
            $choice = array_pop($unread) ?? $choice;
            $key = $keys[$choice];
            $own = $written[$choice] ?? null;
            $verifier->value($key, $subject->get($key), $own ?? self::FILLED, $own ?? PHP_INT_MAX);

            return self::VALUE_BYTES;
        }, 1, $writes === [] ? null : static function () use (&$checked): int {
            return $checked;
        }, $writes === [] ? '' : 'a write by reading it back');
    }

    /** @return list<string> */
    private static function keys(Job $job): array
    {
        $count = $job->int('pairs', self::PAIRS);
        if ($count < $job->workers()) {
            throw new InvalidArgumentException(
                \sprintf('pairs must be %d or more, one for each worker, not %d', $job->workers(), $count),
            );
        }
        if (\strlen($job->prefix . 'row:' . $count . ':') > self::KEY_BYTES) {
            throw new InvalidArgumentException(
                \sprintf('with that prefix a key is longer than %d bytes', self::KEY_BYTES),
            );
        }
        $keys = [];
        for ($number = 0; $number < $count; ++$number) {
            $keys[] = str_pad($job->prefix . 'row:' . $number . ':', self::KEY_BYTES, 'k');
        }

        return $keys;
    }

    /** @return list<int> */
    private static function choices(Job $job, int $worker): array
    {
        $random = new Randomizer(new Xoshiro256StarStar($job->seed * 1000 + $worker));
        $pairs = $job->int('pairs', self::PAIRS);
        $zipf = match ($keys = $job->string('keys', 'uniform')) {
            'uniform' => null,
            'zipf' => Distribution::zipf($pairs, 0.99),
            default => throw new InvalidArgumentException(\sprintf('keys must be uniform or zipf, not %s', $keys)),
        };
        $choices = [];
        for ($choice = 0; $choice < self::CHOICES; ++$choice) {
            // Neighbours of a rank are no neighbours in the store.
            $choices[] = $zipf === null ? $random->getInt(0, $pairs - 1) : $zipf->next($random) * 7919 % $pairs;
        }

        return $choices;
    }

    /** @return array<int, int> which of a hundred operations write */
    private static function writes(Job $job, int $worker): array
    {
        $random = new Randomizer(new Xoshiro256StarStar($job->seed * 1000 + $worker + 500));

        return array_flip(
            \array_slice($random->shuffleArray(range(0, self::MIX - 1)), 0, self::MIX - self::reads($job)),
        );
    }

    /** Every how many writes are read back: all at 95 reads of 100, one of 21 at 50. */
    private static function recheck(Job $job): int
    {
        $reads = self::reads($job);
        // Coprime to 10, so that a client that drops every 1,000th write is caught.
        $every = max(1, intdiv(20 * (self::MIX - $reads), $reads));
        while ($every % 2 === 0 || $every % 5 === 0) {
            ++$every;
        }

        return $every;
    }

    private static function reads(Job $job): int
    {
        $reads = $job->int('reads', self::MIX);

        return $reads >= 1 && $reads <= self::MIX
            ? $reads
            : throw new InvalidArgumentException(\sprintf('reads must be 1 to 100 in a hundred, not %d', $reads));
    }
}
