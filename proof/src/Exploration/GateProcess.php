<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Closure;
use Fiber;

/**
 * One process and what its steps have told it. Two processes at one place that were told the same have the same future.
 */
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

    /**
     * @template T
     *
     * @param Closure(): T $do
     *
     * @return T
     */
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
