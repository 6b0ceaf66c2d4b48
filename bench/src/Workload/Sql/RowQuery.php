<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Sql;

use Closure;
use Larder\Bench\Check\Verifier;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * Reads rows by key, or changes one. Parameter: `database` (mariadb or postgresql).
 *
 * A step reads the same again until it is long beside what is around it, and its last answer is compared with what was
 * stored. A miss is a key that the store was never asked for, and a step has one.
 */
final readonly class RowQuery implements Operations
{
    /** Nanoseconds of a step, and the most that it repeats. */
    private const LONG = 500_000;
    private const MOST = 1024;

    /** Updates of which one is read back. */
    private const READ_BACK = 65;

    /** @param 'one'|'many'|'miss'|'update' $call */
    public function __construct(private string $call) {}

    public function needs(): array
    {
        return [Items::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        \assert($subject instanceof Items);
        if ($this->call !== 'miss') {
            $subject->fill();
        }
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof Items);
        $random = new Randomizer(new Xoshiro256StarStar($job->seed * 1000 + $worker));
        $ids = $random->shuffleArray(range(1, Items::COUNT));
        $values = array_map(Items::value(...), range(0, Items::COUNT));
        $verifier = Verifier::of($job->checked);
        $check = static fn(mixed $row, int $id) => $verifier->that(
            \is_array($row) && ($row['id'] ?? null) === $id && ($row['value'] ?? null) === $values[$id],
            "not the row with the key $id",
        );

        return match ($this->call) {
            'update' => self::updates($subject, $ids, $verifier),
            'miss' => self::misses($subject, $ids, $check),
            default => $this->reads($subject, $ids, $check),
        };
    }

    /**
     * @param list<int>                 $ids
     * @param Closure(mixed, int): void $check
     */
    private function reads(Items $subject, array $ids, Closure $check): Step
    {
        $keys = $this->call !== 'many' ? static fn(int $id): array => [$id] : static fn(int $id): array => array_map(
            // That lie apart.
            static fn(int $number): int => 1 + ($id + $number * 479) % Items::COUNT,
            range(0, Items::MANY - 1),
        );
        $one = $this->call !== 'many' ? $subject->one() : null;
        $many = $this->call === 'many' ? $subject->many() : null;
        /** @return array<array-key, mixed> the last answer, by key */
        $repeat = static function (array $keys, int $times) use ($one, $many): array {
            /** @var non-empty-list<int> $keys */
            $id = $keys[0];
            $got = [];
            if ($many !== null) {
                for (; $times > 0; --$times) {
                    $got = $many($keys);
                }
            } elseif ($one !== null) {
                $row = null;
                for (; $times > 0; --$times) {
                    $row = $one($id);
                }
                $got = [$id => $row];
            }

            return $got;
        };
        $first = $keys($ids[0]);
        $times = Step::repetitions(static fn(int $times): array => $repeat($first, $times), self::LONG, self::MOST);
        $steps = 0;

        return new Step(static function () use ($repeat, $keys, $times, $ids, $check, &$steps): int {
            $asked = $keys($ids[++$steps % Items::COUNT]);
            $got = $repeat($asked, $times);
            foreach ($asked as $id) {
                $check($got[$id] ?? null, $id);
            }

            return 0;
        }, $times, static function () use (&$steps): int {
            return $steps;
        }, 'the last of each step');
    }

    /**
     * @param list<int>                 $ids
     * @param Closure(mixed, int): void $check
     */
    private static function misses(Items $subject, array $ids, Closure $check): Step
    {
        $asked = 0;
        $read = static fn(int $id): mixed => null;

        return new Step(static function () use ($subject, $ids, $check, &$asked, &$read): int {
            $id = $ids[$asked++ % Items::COUNT];
            if ($asked % Items::COUNT === 1) {
                $subject->forget();
                $read = $subject->one();
            }
            $check($read($id), $id);

            return 0;
        });
    }

    /** @param list<int> $ids */
    private static function updates(Items $subject, array $ids, Verifier $verifier): Step
    {
        $update = $subject->update();
        $stored = $subject->stored();
        // No name comes again, whoever had it.
        $generation = random_int(1, 1 << 32);
        $done = 0;

        return new Step(static function () use ($update, $stored, $ids, $verifier, $generation, &$done): int {
            $id = $ids[++$done % Items::COUNT];
            $name = Items::name($id + ($generation + $done) * Items::COUNT);
            $verifier->that($update($id, $name) === 1, "the row with the key $id was not changed");
            if ($done % self::READ_BACK === 0) {
                $row = $stored($id);
                $verifier->that(\is_array($row) && ($row['name'] ?? null) === $name, "the change of $id is not there");
            }

            return 0;
        }, how: 'by the number of rows; every 65th is read back');
    }
}
