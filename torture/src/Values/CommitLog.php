<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

use Larder\Testbed\Process\Board;

/**
 * What was committed, on a board: the last version of each row whose COMMIT had returned, by writer, and for the latest
 * versions of each row the time of the COMMIT.
 */
final readonly class CommitLog
{
    /** Versions of a row whose times are kept. */
    private const TIMES = 256;

    private function __construct(private Board $board, public int $rows, private int $workers) {}

    public static function create(int $rows, int $workers): self
    {
        $board = Board::create([
            'committed' => $rows * $workers,
            'version' => $rows * self::TIMES,
            'time' => $rows * self::TIMES,
        ]);

        return new self($board, $rows, $workers);
    }

    public function commit(int $worker, int $row, int $version): void
    {
        $place = self::place($row, $version);
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
        $place = self::place($row, $version);

        return $this->board->get('version', $place) === $version ? $this->board->get('time', $place) : 0;
    }

    private static function place(int $row, int $version): int
    {
        return $row * self::TIMES + $version % self::TIMES;
    }
}
