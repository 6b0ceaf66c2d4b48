<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

use RuntimeException;
use Shmop;

/**
 * What was committed, in shared memory that is not the store's: for each row and writer the last version whose COMMIT had returned, and for
 * the last versions of each row when that was. Eight bytes are read and written in one piece; what a killed process had noted stays.
 */
final readonly class Score
{
    /** Versions of a row whose times are kept. */
    private const TIMES = 256;

    private const HOT = 9;

    private function __construct(private Shmop $memory, public int $rows, public int $seats) {}

    /** Only forks of this process see it, so that nobody has to remove it. */
    public static function make(int $rows, int $seats): self
    {
        $memory = @shmop_open(random_int(1, 0x7FFFFFFF), 'n', 0o600, 8 * (1 + $rows * ($seats + 2 * self::TIMES) + \count(Count::cases()) * $seats));
        if ($memory === false) {
            throw new RuntimeException('The system gives no shared memory for the notes.');
        }
        shmop_delete($memory);

        return new self($memory, $rows, $seats);
    }

    /** Every other time one of a few. */
    public function anyRow(): int
    {
        return mt_rand(0, (mt_rand(0, 1) === 1 ? self::HOT : $this->rows) - 1);
    }

    /** When to stop, nanoseconds. */
    public function end(): int
    {
        return $this->number(0);
    }

    public function endAt(int $when): void
    {
        $this->note(0, $when);
    }

    public function commit(int $seat, int $row, int $version): void
    {
        $time = $this->time($row, $version);
        $this->note($time + 1, (int) hrtime(true));
        $this->note($time, $version);
        $place = $this->row($row) + $seat;
        $this->note($place, max($version, $this->number($place)));
    }

    /** The newest version whose COMMIT has returned. */
    public function committed(int $row): int
    {
        $numbers = unpack('q*', shmop_read($this->memory, 8 * $this->row($row), 8 * $this->seats));

        return \is_array($numbers) ? max(0, ...array_filter($numbers, is_int(...))) : 0;
    }

    /** When a version was committed, nanoseconds; 0: longer ago than is kept, or its writer died. */
    public function committedAt(int $row, int $version): int
    {
        $time = $this->time($row, $version);

        return $this->number($time) === $version ? $this->number($time + 1) : 0;
    }

    public function add(int $seat, Count $what, int $by = 1): void
    {
        $place = $this->count($seat, $what);
        $this->note($place, $this->number($place) + $by);
    }

    public function longest(int $seat, int $nanoseconds): void
    {
        $place = $this->count($seat, Count::Longest);
        $this->note($place, max($nanoseconds, $this->number($place)));
    }

    /** @return array<int, int> by Count */
    public function counts(): array
    {
        $counts = [];
        foreach (Count::cases() as $what) {
            $numbers = array_map(fn(int $seat): int => $this->number($this->count($seat, $what)), range(0, $this->seats - 1));
            $counts[$what->value] = $what === Count::Longest ? max($numbers) : array_sum($numbers);
        }

        return $counts;
    }

    private function row(int $row): int
    {
        return 1 + $row * ($this->seats + 2 * self::TIMES);
    }

    private function time(int $row, int $version): int
    {
        return $this->row($row) + $this->seats + 2 * ($version % self::TIMES);
    }

    private function count(int $seat, Count $what): int
    {
        return $this->row($this->rows) + \count(Count::cases()) * $seat + $what->value;
    }

    private function number(int $place): int
    {
        $number = unpack('q', shmop_read($this->memory, 8 * $place, 8));

        return \is_array($number) && \is_int($number[1]) ? $number[1] : 0;
    }

    private function note(int $place, int $number): void
    {
        shmop_write($this->memory, pack('q', $number), 8 * $place);
    }
}
