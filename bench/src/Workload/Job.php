<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Definition;
use Larder\Testbed\Server\Endpoint;

/** One window to be measured, as a new process gets it. */
final readonly class Job
{
    /**
     * @param string                               $subject    id
     * @param array<string, bool|float|int|string> $parameters the chart's conditions
     * @param float                                $seconds    the window's length
     * @param int $seed for keys, values and arrival times; differs from block to block
     * @param list<Endpoint>                       $endpoints  of the kind that the subject needs, as many as it uses
     * @param string                               $directory  of the run
     * @param string                               $prefix     of all keys of this cell
     * @param int $traced steps to do between two marks that a trace of system calls shows, instead of a window; 0: a
     *     window
     * @param bool $checked whether the subject's replies are checked: false for a floor
     * @param int $turns parts of the window, between which other subjects have theirs
     */
    public function __construct(
        public string $test,
        public string $subject,
        public array $parameters,
        public float $seconds,
        public int $block,
        public int $seed,
        public array $endpoints,
        public string $directory,
        public string $prefix,
        public float $warmUp = 5.0,
        public int $traced = 0,
        public bool $checked = true,
        public int $turns = 1,
    ) {}

    /** @param array<string, bool|float|int|string> $parameters in place of those of the same names */
    public function with(array $parameters): self
    {
        return new self(
            $this->test,
            $this->subject,
            [...$this->parameters, ...$parameters],
            $this->seconds,
            $this->block,
            $this->seed,
            $this->endpoints,
            $this->directory,
            $this->prefix,
            $this->warmUp,
            $this->traced,
            $this->checked,
            $this->turns,
        );
    }

    public function int(string $parameter, int $default): int
    {
        $value = $this->parameters[$parameter] ?? $default;

        return \is_int($value)
            ? $value
            : throw new \InvalidArgumentException(\sprintf('%s must be a whole number', $parameter));
    }

    public function float(string $parameter, float $default): float
    {
        $value = $this->parameters[$parameter] ?? $default;

        return \is_float($value) || \is_int($value)
            ? (float) $value
            : throw new \InvalidArgumentException(\sprintf('%s must be a number', $parameter));
    }

    public function string(string $parameter, string $default): string
    {
        $value = $this->parameters[$parameter] ?? $default;

        return \is_string($value)
            ? $value
            : throw new \InvalidArgumentException(\sprintf('%s must be a text', $parameter));
    }

    public function workers(): int
    {
        return $this->int('workers', 1);
    }

    /** @param int $worker from 0; -1: the process that fills the stores */
    public function context(int $worker = 0): Context
    {
        return new Context($this->endpoints, $this->directory, $worker, $this->prefix);
    }

    /**
     * With what to fill the subject's stores, one after the other: where each server holds all data, each is filled by
     * itself.
     *
     * @return list<Context>
     */
    public function fillers(Definition $subject): array
    {
        return !$subject->copies ? [$this->context(-1)] : array_map(
            fn(Endpoint $server): Context => new Context([$server], $this->directory, -1, $this->prefix),
            $this->endpoints,
        );
    }
}
