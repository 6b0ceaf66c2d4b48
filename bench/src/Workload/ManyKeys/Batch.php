<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\ManyKeys;

use InvalidArgumentException;
use Larder\Bench\Workload\Job;
use Larder\Testbed\Value\SealedBytes;

/** Keys that one step works on. */
final readonly class Batch
{
    /** "To simulate your average web page", the source says. */
    public const KEYS = 50;

    /**
     * Keys of a cell. All lengths of batch share them, or a batch of 1 would only ever see the first, shortest value.
     */
    private const POOL = 1000;

    /**
     * @param non-empty-list<string> $keys
     * @param non-empty-list<int>    $numbers of the keys within the cell
     * @param non-empty-list<int>    $lengths of their values
     */
    private function __construct(
        public array $keys,
        public array $numbers,
        private array $lengths,
    ) {}

    /**
     * Parameters: `batch` (50) and `values` (source, small or web).
     *
     * @param string $owner whose keys these are: a worker's, or everybody's
     *
     * @return non-empty-list<self> to be worked on in turn
     */
    public static function all(Job $job, string $owner): array
    {
        $batch = self::size($job);
        if ($batch < 1) {
            throw new InvalidArgumentException(\sprintf('batch must be 1 or more, not %d', $batch));
        }
        $set = $job->string('values', 'source');
        // A thousand of the source's values are 25 MB a worker, and the 50 that it has show all lengths.
        $pool = $set === 'source' ? ValueSizes::SOURCE_KEYS : self::POOL;
        $numbers = range(0, (int) ceil($pool / $batch) * $batch - 1);
        $keys = array_map(
            static fn(int $number): string => \sprintf('%s%s:%d', $job->prefix, $owner, $number),
            $numbers,
        );

        return array_map(
            static fn(array $keys, array $numbers, array $lengths): self => new self($keys, $numbers, $lengths),
            array_chunk($keys, $batch),
            array_chunk($numbers, $batch),
            array_chunk(ValueSizes::of($set, \count($keys)), $batch),
        );
    }

    public static function size(Job $job): int
    {
        return $job->int('batch', self::KEYS);
    }

    public function bytes(): int
    {
        return array_sum($this->lengths);
    }

    /** @return non-empty-array<string, string> */
    public function values(SealedBytes $seal, int $generation): array
    {
        return array_combine($this->keys, array_map(
            static fn(string $key, int $length): string => $seal->value($key, $generation, $length),
            $this->keys,
            $this->lengths,
        ));
    }

    /** @return non-empty-array<string, NestedObject> */
    public function objects(SealedBytes $seal, int $generation): array
    {
        return array_combine($this->keys, array_map(
            static fn(string $key, int $number): NestedObject => NestedObject::around(
                $seal->value($key, $generation, NestedObject::length($number)),
            ),
            $this->keys,
            $this->numbers,
        ));
    }
}
