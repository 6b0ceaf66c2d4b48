<?php

declare(strict_types=1);

namespace Larder\Torture\Lease;

use RuntimeException;
use Shmop;

/**
 * Numbers that all processes of a run see, in shared memory that is not the store's; the kernel keeps what a killed one had noted.
 *
 * For each key the last generation that was begun, the last one that a store acknowledged, the last one that was begun before a delete,
 * and how many in a row held up whoever waits. For each seat how often it has read, and its longest wait. Eight bytes are
 * read and written in one piece.
 */
final readonly class Board
{
    private const KEY = 4;
    private const SEAT = 2;

    private function __construct(private Shmop $memory, public int $keys, public int $seats) {}

    /** Only forks of this process see it, so that nobody has to remove it. */
    public static function make(int $keys, int $seats): self
    {
        $memory = @shmop_open(random_int(1, 0x7FFFFFFF), 'n', 0o600, 8 * (1 + self::KEY * $keys + self::SEAT * $seats));
        if ($memory === false) {
            throw new RuntimeException('The system gives no shared memory for the notes.');
        }
        shmop_delete($memory);

        return new self($memory, $keys, $seats);
    }

    public function stage(): Stage
    {
        return Stage::from($this->number(0));
    }

    public function enter(Stage $stage): void
    {
        $this->note(0, $stage->value);
    }

    public function begun(int $key): int
    {
        return $this->number($this->key($key));
    }

    public function begin(int $key, int $generation): void
    {
        $this->note($this->key($key), $generation);
    }

    public function stored(int $key): int
    {
        return $this->number($this->key($key) + 1);
    }

    public function store(int $key, int $generation): void
    {
        $this->note($this->key($key) + 1, $generation);
    }

    public function deleted(int $key): int
    {
        return $this->number($this->key($key) + 2);
    }

    public function delete(int $key, int $generation): void
    {
        $this->note($this->key($key) + 2, $generation);
    }

    public function heldUp(int $key): int
    {
        return $this->number($this->key($key) + 3);
    }

    public function holdUp(int $key, int $inARow): void
    {
        $this->note($this->key($key) + 3, $inARow);
    }

    /** @param int $nanoseconds that this read took without making the value */
    public function read(int $seat, int $nanoseconds): void
    {
        $place = $this->seat($seat);
        $this->note($place, $this->number($place) + 1);
        if ($nanoseconds > $this->number($place + 1)) {
            $this->note($place + 1, $nanoseconds);
        }
    }

    public function reads(): int
    {
        return array_sum(array_map(fn(int $seat): int => $this->number($this->seat($seat)), range(0, $this->seats - 1)));
    }

    /** @return float seconds */
    public function longestWait(): float
    {
        return max(array_map(fn(int $seat): int => $this->number($this->seat($seat) + 1), range(0, $this->seats - 1))) / 1e9;
    }

    private function key(int $key): int
    {
        return 1 + self::KEY * $key;
    }

    private function seat(int $seat): int
    {
        return 1 + self::KEY * $this->keys + self::SEAT * $seat;
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
