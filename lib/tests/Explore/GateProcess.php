<?php

declare(strict_types=1);

namespace Larder\Tests\Explore;

use Closure;
use Fiber;

/** One process: its steps, and what it has learnt by them, which is all that tells it from another one in the same place. */
final class GateProcess
{
    /** @var list<mixed> */
    public array $known = [];

    public bool $isDead = false;

    /** After its COMMIT and before change() returned. */
    public bool $isBetween = false;

    /** @var Fiber<mixed, mixed, mixed, mixed> */
    private readonly Fiber $fiber;

    /** @param Closure(self): void $work */
    public function __construct(public readonly string $name, public readonly bool $writes, Closure $work)
    {
        $this->fiber = new Fiber(fn() => $work($this));
        $this->fiber->start();
    }

    /** @param Closure(): mixed $do */
    public function step(Closure $do): mixed
    {
        Fiber::suspend();
        $result = $do();
        $this->known[] = $result;

        return $result;
    }

    public function next(): void
    {
        $this->fiber->resume();
    }

    public function isOver(): bool
    {
        return $this->isDead || $this->fiber->isTerminated();
    }
}
