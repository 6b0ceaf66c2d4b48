<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;

/**
 * Sees what is read while a value or a page is being made.
 *
 * @internal
 */
interface Recording
{
    /** Whether the read transaction of a page or of a value is open. Asked for every hit. */
    public function inSnapshot(): bool;

    /**
     * Runs $compute and records what it reads.
     *
     * @template T
     *
     * @param Closure(): T                    $compute
     * @param Closure(list<Name>): void $named   gets each new name before its data is read
     * @param Closure(string, Unstored): void $refused gets the reason if what $compute made may not be stored, also
     *     where it throws
     *
     * @return T
     */
    public function record(Closure $compute, Closure $named, Closure $refused): mixed;

    /** What is being made around it is made from these names too, as far as it knows their tables. */
    public function add(Name ...$names): void;

    /**
     * A part of what is being made around it is bounded by time only.
     *
     * @param float $until Unix time
     */
    public function bound(string $reason, float $until): void;

    /** What is being made around it may not be stored. */
    public function refuse(string $reason): void;
}
