<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Larder\Page\PageStore;

/** Where the pages of an exploration lie: what processes share of them, and what may happen to it. */
interface PagePlace
{
    /** @param ExploredProcess|null $process whose calls are steps; null: nobody's are */
    public function open(Implementation $implementation, ?ExploredProcess $process): PageStore;

    /** Keeps what is there as the first state. */
    public function keep(): void;

    /** Back to the first state. Every process must be buried. */
    public function reset(): void;

    public function look(): PlaceState;

    /** @return list<Move> what happens here without a process */
    public function moves(): array;

    public function move(Move $move): void;

    /** @return list<Event> what can go wrong at this step of a process */
    public function faults(string $step): array;

    /** Called when one of these went wrong. */
    public function failed(): void;

    public function remove(): void;
}
