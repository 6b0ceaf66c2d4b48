<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

use Larder\Bench\Check\Coverage;

/** What a worker counted between the first and the last tenth of its window. */
final readonly class WorkerResult
{
    /**
     * @param float                $cpu     microseconds
     * @param float                $offered operations per second that the open loop was to start; 0: closed loop
     * @param list<int>            $slices  operations of each turn; of each eighth, if there is one turn only
     * @param array<mixed>         $latency as Histogram::toArray() gives it
     * @param array<string, float> $extra
     * @param Coverage|null        $coverage of the replies within the window
     */
    public function __construct(
        public float $seconds,
        public int $operations,
        public int $bytes,
        public float $cpu,
        public float $offered,
        public array $slices,
        public bool $steady,
        public array $latency,
        public array $extra = [],
        public ?Coverage $coverage = null,
    ) {}

    /** This turn after another one of the same worker; the histogram is one for all turns. */
    public function after(?self $before): self
    {
        return $before === null ? $this : new self(
            $before->seconds + $this->seconds,
            $before->operations + $this->operations,
            $before->bytes + $this->bytes,
            $before->cpu + $this->cpu,
            $this->offered,
            [...$before->slices, ...$this->slices],
            $this->steady,
            $this->latency,
            $this->extra,
            $before->coverage === null ? $this->coverage : $this->coverage?->plus($before->coverage),
        );
    }

    /** @param array<string, float> $extra */
    public function with(array $extra): self
    {
        return new self(
            $this->seconds,
            $this->operations,
            $this->bytes,
            $this->cpu,
            $this->offered,
            $this->slices,
            $this->steady,
            $this->latency,
            $extra,
            $this->coverage,
        );
    }
}
