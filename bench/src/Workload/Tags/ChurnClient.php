<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Tags;

use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Subject\Tagged;
use Larder\Testbed\Process\Board;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * One client of the tag churn: it reads records, writes them anew and changes the data behind their tags.
 *
 * The board has two numbers per tag: the generation of its data, and the last generation whose change was announced.
 * Only one client changes the data of a tag, so that generations need no lock.
 */
final class ChurnClient
{
    private const GENERATION = 'generation';
    private const ANNOUNCED = 'announced';

    public int $reads = 0;
    public int $writes = 0;
    public int $cleans = 0;
    public int $stale = 0;
    public int $made = 0;

    public readonly Histogram $latency;

    private readonly Randomizer $random;

    /** @param int $client number of this one among the $clients, from 0 */
    public function __construct(
        private readonly Tagged $subject,
        private readonly Records $records,
        private readonly Board $board,
        private readonly string $prefix,
        int $seed,
        private readonly int $client,
        private readonly int $clients,
        private readonly bool $isExact = false,
    ) {
        $this->random = new Randomizer(new Xoshiro256StarStar($seed * 31 + $client));
        $this->latency = new Histogram();
    }

    /** A board for all clients and their parent. */
    public static function board(Records $records): Board
    {
        return Board::create([self::GENERATION => $records->numberOfTags, self::ANNOUNCED => $records->numberOfTags]);
    }

    /** @throws WrongReply */
    public function read(int $record): void
    {
        $tags = $this->records->tags[$record];
        $announced = $this->generations(self::ANNOUNCED, $tags);
        $begin = hrtime(true);
        $value = $this->subject->tagged($this->key($record), function () use ($record, $tags): array {
            ++$this->made;
            $generations = $this->generations(self::GENERATION, $tags);

            return [
                'record' => $record,
                'generations' => $generations,
                'text' => $this->records->text($record, $generations),
            ];
        }, $tags);
        $this->latency->record(hrtime(true) - $begin);
        ++$this->reads;
        $found = $this->checked($record, $value);
        foreach ($tags as $tag) {
            if ($found[$tag] < $announced[$tag]) {
                ++$this->stale;
                $this->mustNotPromise($record, $tag, $found[$tag], $announced[$tag]);

                return;
            }
        }
    }

    /** @throws WrongReply if the subject promises that no such reply comes */
    private function mustNotPromise(int $record, int $tag, int $found, int $announced): void
    {
        if ($this->isExact) {
            $message = '%s: made from generation %d of tag %d, though it was changed to %d before';
            throw new WrongReply(\sprintf($message, $this->key($record), $found, $tag, $announced));
        }
    }

    /** Deletes a record and makes it again. */
    public function write(int $record): void
    {
        $this->subject->forget($this->key($record));
        $this->read($record);
        --$this->reads;
        ++$this->writes;
    }

    public function clean(int $tag): void
    {
        $generation = $this->board->get(self::GENERATION, $tag) + 1;
        $this->subject->change([$tag], function () use ($tag, $generation): void {
            $this->board->set(self::GENERATION, $generation, $tag);
        });
        $this->board->set(self::ANNOUNCED, $generation, $tag);
        ++$this->cleans;
    }

    /** Does a read, a write or a clean. The shares are per cent of all steps. */
    public function step(float $writes, float $cleans): void
    {
        $chance = $this->random->getInt(0, 9_999) / 100;
        match (true) {
            $chance < $cleans => $this->clean($this->own($this->records->changed($this->random))),
            $chance < $cleans + $writes => $this->write($this->records->asked($this->random)),
            default => $this->read($this->records->asked($this->random)),
        };
    }

    /** The nearest tag that only this client changes. */
    private function own(int $tag): int
    {
        $own = $tag - $tag % $this->clients + $this->client;

        return $own < $this->records->numberOfTags ? $own : $this->client;
    }

    /**
     * @param list<int> $tags
     *
     * @return array<int, int> by tag
     */
    private function generations(string $series, array $tags): array
    {
        return array_combine($tags, array_map(fn(int $tag): int => $this->board->get($series, $tag), $tags));
    }

    private function key(int $record): string
    {
        return $this->prefix . 'record:' . $record;
    }

    /**
     * @return array<int, int> generation by tag
     *
     * @throws WrongReply if this is not the whole record as it was made
     */
    private function checked(int $record, mixed $value): array
    {
        $generations = \is_array($value) ? $value['generations'] ?? null : null;
        if (
            !\is_array($value)
            || ($value['record'] ?? null) !== $record
            || !\is_array($generations)
            || array_keys($generations) !== $this->records->tags[$record]
        ) {
            throw new WrongReply($this->key($record) . ': not what was made');
        }
        /** @var array<int, int> $generations */
        if (($value['text'] ?? null) !== $this->records->text($record, $generations)) {
            throw new WrongReply($this->key($record) . ': not the text that was made');
        }

        return $generations;
    }
}
