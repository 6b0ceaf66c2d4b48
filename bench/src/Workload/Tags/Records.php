<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Tags;

use InvalidArgumentException;
use Larder\Bench\Statistics\Distribution;
use Larder\Bench\Workload\Job;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * The data that records are made from: 10,000 records with 0 to 15 of 2,000 tags each and 1 to 1,024 bytes. The same
 * seed gives the same data.
 *
 * Some records are read more often than others, and some tags change more often than others, independently.
 */
final readonly class Records
{
    public const RECORDS = 10_000;
    public const TAGS = 2_000;

    private const MOST_TAGS = 15;
    private const LONGEST = 1024;

    /** Exponent of the Zipf distributions of both. */
    private const THETA = 0.8;

    /** @var non-empty-list<list<int>> tags by record */
    public array $tags;

    /** @var non-empty-list<int> bytes by record */
    public array $sizes;

    /** @var list<int> records, the most read first */
    private array $popular;

    /** @var list<int> tags, the most changed first */
    private array $volatile;

    private Distribution $reads;
    private Distribution $changes;

    public function __construct(int $seed, public int $records = self::RECORDS, public int $numberOfTags = self::TAGS)
    {
        if ($records < 1 || $numberOfTags < self::MOST_TAGS) {
            throw new InvalidArgumentException(\sprintf('There must be a record, and %d tags', self::MOST_TAGS));
        }
        $random = new Randomizer(new Xoshiro256StarStar($seed));
        $tags = $sizes = [];
        $all = range(0, $numberOfTags - 1);
        do {
            $count = $random->getInt(0, self::MOST_TAGS);
            $tags[] = $count === 0 ? [] : array_map(intval(...), $random->pickArrayKeys($all, $count));
            $sizes[] = $random->getInt(1, self::LONGEST);
        } while (\count($sizes) < $records);
        $this->tags = $tags;
        $this->sizes = $sizes;
        $this->popular = $random->shuffleArray(range(0, $records - 1));
        $this->volatile = $random->shuffleArray($all);
        $this->reads = Distribution::zipf($records, self::THETA);
        $this->changes = Distribution::zipf($numberOfTags, self::THETA);
    }

    /** Parameters: `records` (10,000) and `tags` (2,000). All windows of a run have the run's seed. */
    public static function of(Job $job): self
    {
        return new self(
            $job->seed - $job->block * 7919,
            $job->int('records', self::RECORDS),
            $job->int('tags', self::TAGS),
        );
    }

    /** Draws a record to read. */
    public function asked(Randomizer $random): int
    {
        return $this->popular[$this->reads->next($random)];
    }

    /** Draws a tag to change. */
    public function changed(Randomizer $random): int
    {
        return $this->volatile[$this->changes->next($random)];
    }

    /**
     * The text that follows from the data of a record.
     *
     * @param array<int, int> $generations of its tags
     */
    public function text(int $record, array $generations): string
    {
        $sum = hash('xxh128', $record . ':' . implode(',', $generations));

        return substr(str_repeat($sum, (int) ceil($this->sizes[$record] / \strlen($sum))), 0, $this->sizes[$record]);
    }
}
