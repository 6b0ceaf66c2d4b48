<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

/** A worker's end of its socket pair. */
final readonly class Signals
{
    /** @param resource $socket */
    public function __construct(private mixed $socket) {}

    public function ready(): void
    {
        fwrite($this->socket, "ready\n");
    }

    /** @return int|null when the next turn begins, on the clock of hrtime(); null: there is none */
    public function awaitTurn(): ?int
    {
        $time = $this->awaitStart();

        return $time === Crew::END ? null : $time;
    }

    public function done(): void
    {
        fwrite($this->socket, "done\n");
    }

    /** @return int when to begin, on the clock of hrtime() */
    public function awaitStart(): int
    {
        stream_set_timeout($this->socket, 300);
        $line = fgets($this->socket);
        if ($line === false) {
            // The parent is gone, and nobody is there to hear of it.
            exit(1);
        }

        return (int) $line;
    }
}
