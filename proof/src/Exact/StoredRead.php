<?php

declare(strict_types=1);

namespace Larder\Proof\Exact;

use Larder\Sql\Tracker\RecordedReads;
use Larder\Tests\Support\Sql\Read;

/** A read whose result was registered as a page, as if it were one. */
final readonly class StoredRead
{
    /**
     * @param string    $result at the moment of the recording
     * @param list<int> $times  of its steps, as numbers of steps that a writer had done; empty: there was none
     */
    public function __construct(
        public Read $read,
        public string $page,
        public RecordedReads $reads,
        public string $result,
        public array $times = [],
    ) {}

    public function at(int ...$times): self
    {
        $times = [...$this->times, ...array_values($times)];

        return new self($this->read, $this->page, $this->reads, $this->result, $times);
    }

    /** @return list<int> who did each step: 0 is the writer, 1 the renderer */
    public function steps(): array
    {
        $steps = [];
        $done = 0;
        foreach ($this->times as $time) {
            $steps = [...$steps, ...array_fill(0, max(0, $time - $done), 0), 1];
            $done = $time;
        }

        return $steps;
    }
}
