<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Client;

use InvalidArgumentException;
use Larder\Bench\Workload\Job;
use Larder\Testbed\Value\SealedBytes;

/** The keys of one worker, which no other touches: only then must a reply be exactly the last write. */
final readonly class OwnKeys
{
    /** The framework of the source works with four. */
    public const COUNT = 4;

    /** @return non-empty-list<string> */
    public static function of(Job $job, int $worker, string $name = 'key', int $count = self::COUNT): array
    {
        return array_map(
            static fn(int $number): string => \sprintf('%s%s:%d:%d', $job->prefix, $name, $worker, $number),
            range(1, $count),
        );
    }

    /**
     * Where a window's generations begin. A later block's are greater, so what an earlier one left behind is older than
     * all of this one's; the steps of a window never reach the next one's first.
     *
     * In a web server each request does the first step of a process's keys, and has to know its own value from the
     * request's before.
     */
    public static function firstGeneration(Job $job): int
    {
        return (($job->block + 1) << 32) + (PHP_SAPI === 'cli' ? 0 : hrtime(true) & 0x7FFF_FFFF);
    }

    /** The parameter `size`, of values in bytes. */
    public static function size(Job $job, int $default): int
    {
        $size = $job->int('size', $default);

        return $size >= SealedBytes::SHORTEST
            ? $size
            : throw new InvalidArgumentException(
                \sprintf('size must be %d or more, not %d', SealedBytes::SHORTEST, $size),
            );
    }
}
