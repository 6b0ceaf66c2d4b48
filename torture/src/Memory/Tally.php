<?php

declare(strict_types=1);

namespace Larder\Torture\Memory;

/** What one worker has done so far; it goes on where the one before it on its seat was killed. */
final class Tally
{
    private const KEPT = [Seat::Operations, Seat::Reads, Seat::Hits, Seat::Writes, Seat::Refused, Seat::Rechecks, Seat::Forks];

    public int $operations = 0;
    public int $reads = 0;
    public int $hits = 0;
    public int $writes = 0;
    public int $refused = 0;
    public int $rechecks = 0;
    public int $forks = 0;

    public function __construct(
        private readonly Board $board,
        private readonly int $seat,
    ) {
        [$this->operations, $this->reads, $this->hits, $this->writes, $this->refused, $this->rechecks, $this->forks] = array_map(
            static fn(Seat $what): int => $board->seat($seat, $what),
            self::KEPT,
        );
    }

    public function keep(): void
    {
        foreach ([$this->operations, $this->reads, $this->hits, $this->writes, $this->refused, $this->rechecks, $this->forks] as $i => $number) {
            $this->board->noteSeat($this->seat, self::KEPT[$i], $number);
        }
    }
}
