<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\ManyKeys;

use InvalidArgumentException;
use Larder\Bench\Workload\Job;
use Larder\Testbed\Value\SealedBytes;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/** Keys that one step works on. */
final readonly class Batch
{
    /** "To simulate your average web page", the source says. */
    public const KEYS = 50;

    /**
     * Keys of a cell. All lengths of batch share them, or a batch of 1 would only ever see the first, shortest value.
     */
    private const POOL = 1000;

    /** Values of the source: 50, of 0 to 49 thousand bytes. */
    public const SOURCE_KEYS = 50;
    private const SOURCE_STEP = 1000;

    /**
     * What template variables, rows and small fragments are: half of them below 300 bytes, one in twenty above 1,500.
     */
    private const WEB_MEDIAN = 300.0;
    private const WEB_SPREAD = 1.0;
    private const WEB_MOST = 100_000;

    private const SMALL = 32;

    /** What the client's goals are stated for. */
    private const EVEN_LEAST = 100;
    private const EVEN_MOST = 400;

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
        $pool = $set === 'source' ? self::SOURCE_KEYS : self::POOL;
        $numbers = range(0, (int) ceil($pool / $batch) * $batch - 1);
        $keys = array_map(
            static fn(int $number): string => \sprintf('%s%s:%d', $job->prefix, $owner, $number),
            $numbers,
        );

        return array_map(
            static fn(array $keys, array $numbers, array $lengths): self => new self($keys, $numbers, $lengths),
            array_chunk($keys, $batch),
            array_chunk($numbers, $batch),
            array_chunk(self::lengths($set, \count($keys)), $batch),
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

    /**
     * How long the values are. Every key of a cell keeps its length, in all processes.
     *
     * @param string $set source, small, even (100 to 400 bytes) or web
     *
     * @return non-empty-list<int>
     */
    public static function lengths(string $set, int $count): array
    {
        $length = match ($set) {
            // The source's first value, 16 bytes, could not prove anything: it is as long as a sealed one has to be.
            'source' => static fn(int $i): int => max(
                SealedBytes::SHORTEST,
                ($i % self::SOURCE_KEYS) * self::SOURCE_STEP,
            ),
            'small' => static fn(): int => self::SMALL,
            'even' => static fn(int $i): int => self::EVEN_LEAST + $i * 37 % (self::EVEN_MOST - self::EVEN_LEAST + 1),
            'web' => self::logNormal(),
            default => throw new InvalidArgumentException(
                \sprintf('values must be source, small, even or web, not %s', $set),
            ),
        };

        return array_map($length, range(0, max(1, $count) - 1));
    }

    /** @return callable(): int */
    private static function logNormal(): callable
    {
        // Not the window's seed: what the first process stores the others must know.
        $random = new Randomizer(new Xoshiro256StarStar(300));

        return static function () use ($random): int {
            $uniform = static fn(): float => $random->getInt(1, 1 << 52) / (1 << 52);
            $normal = sqrt(-2.0 * log($uniform())) * cos(2.0 * M_PI * $uniform());

            return (int) min(
                self::WEB_MOST,
                max(SealedBytes::SHORTEST, self::WEB_MEDIAN * exp(self::WEB_SPREAD * $normal)),
            );
        };
    }
}
