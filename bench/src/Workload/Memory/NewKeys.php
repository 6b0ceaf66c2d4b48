<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

use Closure;
use InvalidArgumentException;
use Larder\Bench\Check\Coverage;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Result\Window;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\MemoryReporting;
use Larder\Bench\Subject\Objects;
use Larder\Bench\Subject\RepeatedWrites;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Workload;
use Larder\Testbed\Server\Cpu;

/**
 * Sets of keys that were never there, of 12 bytes each.
 *
 * Parameters: `size` (100), bytes of a value, 0: an int; `room`: `new`, a store whose memory was never touched, `free`,
 * where as many were there before and deleted, or `full`, where so many are set before that it has dropped some; and
 * `sets`, how many. Keys are made, and replies read back, between stretches whose time is taken.
 */
final readonly class NewKeys implements Workload
{
    private const STRETCH = 1024;
    private const FREE = 150_000;
    private const FULL = 600_000;

    public function refuses(Definition $subject): ?string
    {
        foreach ([Objects::class, RepeatedWrites::class, ManyKeys::class, MemoryReporting::class] as $interface) {
            if (!$subject->can($interface)) {
                return 'has no account of its memory';
            }
        }

        return null;
    }

    public function prepare(Job $job, Definition $subject): void
    {
        // Each subject starts empty.
    }

    public function measure(Job $job, Definition $subject): Measured
    {
        $store = ($subject->make)();
        \assert($store instanceof Objects && $store instanceof RepeatedWrites && $store instanceof ManyKeys
            && $store instanceof MemoryReporting);
        $store->connect($job->context());
        $room = $job->string('room', 'free');
        if (!\in_array($room, ['new', 'free', 'full'], true)) {
            throw new InvalidArgumentException(
                \sprintf('There is no room "%s". There are: new, free, full.', $room),
            );
        }
        $isFull = $room === 'full';
        $sets = $job->int('sets', $isFull ? self::FULL : self::FREE);
        $value = WriteLoop::value($job->int('size', 100), 0);
        $most = $room === 'new' ? 0 : self::most($store, $value, $sets);
        if ($room === 'free') {
            self::each('f', $sets, $store->deleteMany(...));
        }
        $latency = new Histogram();
        $seconds = $cpu = 0.0;
        $checked = 0;
        self::each('n', $sets, static function (array $keys) use (
            $store,
            $value,
            $latency,
            &$seconds,
            &$cpu,
            &$checked,
            &$most,
        ): void {
            $used = Cpu::own();
            $begin = hrtime(true);
            $store->setEach($keys, $value);
            $took = hrtime(true) - $begin;
            $cpu += Cpu::own() - $used;
            $seconds += $took / 1e9;
            $latency->record($took);
            $most = max($most, $store->entries());
            // The last of all is there however full the store is.
            $key = $keys[\count($keys) - 1];
            ++$checked;
            if ($store->getObject($key) !== $value) {
                throw new WrongReply($key . ': not the value that was stored');
            }
        });
        $usage = $store->usage();
        if ($isFull !== $usage->evictions > 0) {
            throw new NotApplicable($isFull ? 'holds all of them' : 'cannot hold all of them');
        }
        $store->close();

        return new Measured(
            new Window($job->block, 0, $seconds, $sets, 0, 0, $cpu, 0.0, [$sets]),
            $latency,
            extra: $isFull ? ['most keys held' => (float) $most] : [],
            coverage: new Coverage($sets, $checked, 'the last of each stretch, read back'),
            latencyOf: self::STRETCH,
        );
    }

    /** Fills the store, and tells how many it had at most. */
    private static function most(RepeatedWrites $store, int|string $value, int $sets): int
    {
        $most = 0;
        self::each('f', $sets, static function (array $keys) use ($store, $value, &$most): void {
            $store->setEach($keys, $value);
            $most = max($most, $store->entries());
        });

        return $most;
    }

    /** @param Closure(non-empty-list<string>): void $do */
    private static function each(string $letter, int $sets, Closure $do): void
    {
        for ($from = 0; $from < $sets; $from += self::STRETCH) {
            $do(array_map(
                static fn(int $number): string => \sprintf('%s%011d', $letter, $number),
                range($from, min($from + self::STRETCH, $sets) - 1),
            ));
        }
    }
}
