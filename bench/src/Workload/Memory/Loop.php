<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Repeating;
use Larder\Bench\Workload\Encoding\SampledLeaf;
use Larder\Bench\Workload\Encoding\Shape;
use Larder\Bench\Workload\Step;

/**
 * Steps of so many gets that what is around them (the clock, the check, the call of the step) is below a hundredth of their time.
 *
 * A step asks for one key, the next for the next. What came last is looked at in one spot, another one each time, and after the
 * first, second, fourth, eighth step and so on as a whole: comparing every copy of a large array would cost as much as making it.
 */
final readonly class Loop
{
    public const KEYS = 8;

    private const SPOTS = 64;

    /** Nanoseconds of a step. */
    private const LONG = 200_000;
    private const MOST = 16_384;

    /** @return non-empty-list<string> */
    public static function keys(string $prefix): array
    {
        return array_map(static fn(int $number): string => \sprintf('%sloop:%d', $prefix, $number), range(1, self::KEYS));
    }

    public static function fill(Repeating $subject, string $prefix, Value $value): void
    {
        foreach (self::keys($prefix) as $number => $key) {
            $subject->setObject($key, $value->make($number));
        }
    }

    public static function step(Repeating $subject, string $prefix, Value $value, int $seed, bool $checked = true): Step
    {
        $keys = self::keys($prefix);
        $values = array_map($value->make(...), array_keys($keys));
        $spots = array_map(static fn(mixed $one): array => SampledLeaf::in($one, $seed, self::SPOTS), $values);
        $times = self::times($subject, $keys[0]);
        $turn = $seed % self::KEYS;
        $steps = 0;

        return new Step(static function () use ($subject, $keys, $values, $spots, $checked, $times, &$turn, &$steps): int {
            $turn = ($turn + 1) % self::KEYS;
            ++$steps;
            $got = $subject->getRepeatedly($keys[$turn], $times);
            if (!$checked) {
                $got = $values[$turn];
            }
            if (!$spots[$turn][$steps % self::SPOTS]->isIn($got) || (($steps & $steps - 1) === 0 && !Shape::same($got, $values[$turn]))) {
                throw new WrongReply(\sprintf('%s: %s', $keys[$turn], $got === null ? 'no value, though one was stored' : 'another value than was stored'));
            }

            return 0;
        }, $times, static function () use (&$steps): int {
            return $steps;
        }, \sprintf('the last of each step, at one of %d places in turn', self::SPOTS));
    }

    private static function times(Repeating $subject, string $key): int
    {
        $subject->getRepeatedly($key, 1);
        $times = 1;
        do {
            $begin = hrtime(true);
            $subject->getRepeatedly($key, $times);
            $took = hrtime(true) - $begin;
        } while ($took < self::LONG / 2 && ($times *= 2) < self::MOST);

        return $times;
    }
}
