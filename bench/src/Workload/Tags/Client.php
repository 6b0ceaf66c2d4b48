<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Tags;

use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Subject\Exact;
use Larder\Bench\Subject\Tagged;
use Larder\Bench\Workload\Stampede\Board;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * One of those that read records, write them anew and change the data behind their tags.
 *
 * Board has, for each tag, the generation of its data and, behind all of these, the last one of which the change was told to be done.
 * A tag's data is changed by one client only, so that generations need no lock.
 */
final class Client
{
    public int $reads = 0;
    public int $writes = 0;
    public int $cleans = 0;
    public int $stale = 0;
    public int $made = 0;

    public readonly Histogram $latency;

    private readonly Randomizer $random;

    /** @param int $clients of whom this is number $client */
    public function __construct(
        private readonly Tagged $subject,
        private readonly Records $records,
        private readonly Board $board,
        private readonly string $prefix,
        int $seed,
        private readonly int $client,
        private readonly int $clients,
    ) {
        $this->random = new Randomizer(new Xoshiro256StarStar($seed * 31 + $client));
        $this->latency = new Histogram();
    }

    /** @throws WrongReply */
    public function read(int $record): void
    {
        $tags = $this->records->tags[$record];
        $done = $this->board->several(array_map(fn(int $tag): int => $this->records->numberOfTags + $tag, $tags));
        $begin = hrtime(true);
        $value = $this->subject->tagged($this->key($record), function () use ($record, $tags): array {
            ++$this->made;
            $generations = $this->board->several($tags);

            return ['record' => $record, 'generations' => $generations, 'text' => $this->records->text($record, $generations)];
        }, $tags);
        $this->latency->record(hrtime(true) - $begin);
        ++$this->reads;
        $found = $this->checked($record, $value);
        foreach ($tags as $tag) {
            if ($found[$tag] < $done[$this->records->numberOfTags + $tag]) {
                ++$this->stale;
                if ($this->subject instanceof Exact) {
                    throw new WrongReply(\sprintf('%s: made from generation %d of tag %d, though it was changed to %d before', $this->key($record), $found[$tag], $tag, $done[$this->records->numberOfTags + $tag]));
                }

                return;
            }
        }
    }

    /** Takes a record away and makes it again. */
    public function write(int $record): void
    {
        $this->subject->forget($this->key($record));
        $this->read($record);
        --$this->reads;
        ++$this->writes;
    }

    public function clean(int $tag): void
    {
        $generation = $this->board->of($tag) + 1;
        $this->subject->change([$tag], function () use ($tag, $generation): void {
            $this->board->set($tag, $generation);
        });
        $this->board->set($this->records->numberOfTags + $tag, $generation);
        ++$this->cleans;
    }

    /** A read, a write or a clean, as the shares say, in per cent of all. */
    public function step(float $writes, float $cleans): void
    {
        $chance = $this->random->getInt(0, 9_999) / 100;
        match (true) {
            $chance < $cleans => $this->clean($this->own($this->records->changed($this->random))),
            $chance < $cleans + $writes => $this->write($this->records->asked($this->random)),
            default => $this->read($this->records->asked($this->random)),
        };
    }

    /** The nearest tag that is this client's to change. */
    private function own(int $tag): int
    {
        $own = $tag - $tag % $this->clients + $this->client;

        return $own < $this->records->numberOfTags ? $own : $this->client;
    }

    private function key(int $record): string
    {
        return $this->prefix . 'record:' . $record;
    }

    /**
     * @return array<int, int> generation by tag
     *
     * @throws WrongReply if this is not that record, whole and as it was made
     */
    private function checked(int $record, mixed $value): array
    {
        $generations = \is_array($value) ? $value['generations'] ?? null : null;
        if (!\is_array($value) || ($value['record'] ?? null) !== $record || !\is_array($generations) || array_keys($generations) !== $this->records->tags[$record]) {
            throw new WrongReply($this->key($record) . ': not what was made');
        }
        /** @var array<int, int> $generations */
        if (($value['text'] ?? null) !== $this->records->text($record, $generations)) {
            throw new WrongReply($this->key($record) . ': not the text that was made');
        }

        return $generations;
    }
}
