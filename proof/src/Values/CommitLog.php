<?php

declare(strict_types=1);

namespace Larder\Proof\Values;

use Larder\Testbed\Process\Board;

/**
 * What was committed, on a board: the last version of each row whose COMMIT had returned, by writer, and for the latest
 * versions of each row the time of the COMMIT.
 */
final readonly class CommitLog
{
    private function __construct(
        private Board $board,
        public int $rows,
        private int $workers,
        public int $times,
    ) {}

    /** @param int $times versions of a row whose times are kept */
    public static function create(int $rows, int $workers, int $times = 256): self
    {
        $board = Board::create([
            'committed' => $rows * $workers,
            'version' => $rows * $times,
            'time' => $rows * $times,
        ]);

        return new self($board, $rows, $workers, $times);
    }

    public function commit(int $worker, int $row, int $version): void
    {
        $place = $this->place($row, $version);
        $this->board->set('time', (int) hrtime(true), $place);
        $this->board->set('version', $version, $place);
        $this->board->raise('committed', $version, $row * $this->workers + $worker);
    }

    /** The newest version whose COMMIT has returned. */
    public function committed(int $row): int
    {
        return max(0, ...$this->board->range('committed', $row * $this->workers, $this->workers));
    }

    /** @return int nanoseconds; 0: the time is not kept any more, or the writer died before it noted it */
    public function committedAt(int $row, int $version): int
    {
        $place = $this->place($row, $version);

        return $this->board->get('version', $place) === $version ? $this->board->get('time', $place) : 0;
    }

    private function place(int $row, int $version): int
    {
        return $row * $this->times + $version % $this->times;
    }
}
