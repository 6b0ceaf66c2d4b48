<?php

declare(strict_types=1);

namespace Larder\Torture\Memory;

use RuntimeException;
use Shmop;

/**
 * Numbers that all processes of a run see, in shared memory that is not the store's.
 *
 * For each key the generation that its writer has begun and the last one that the store has acknowledged; for each seat how its
 * worker fares; for each nursery what it has counted. Each number has one writer at a time, and the kernel keeps what a killed
 * one had noted. Eight bytes are read and written in one piece.
 */
final class Board
{
    /** Keys that all workers write: leased values, then sums. They have no begun generation. */
    public const COMMON = 32;
    public const SUMS = 8;

    private const SEAT = 16;
    private const HOUSE = 16;
    private const HOUSES = 4;

    private readonly int $begun;
    private readonly int $progress;
    private readonly int $seatsAt;
    private readonly int $houses;
    private bool $removed = false;

    private function __construct(
        private readonly Shmop $memory,
        public readonly int $id,
        public readonly int $keys,
        public readonly int $seats,
    ) {
        [$this->begun, $this->progress, $this->seatsAt, $this->houses] = self::places($keys, $seats);
    }

    public static function make(int $keys, int $seats): self
    {
        $id = random_int(1, 0x7FFFFFFF);
        $memory = @shmop_open($id, 'n', 0o600, 8 * (self::places($keys, $seats)[3] + self::HOUSE * self::HOUSES));

        return new self($memory !== false ? $memory : throw new RuntimeException('The system gives no shared memory for the notes.'), $id, $keys, $seats);
    }

    public static function open(int $id, int $keys, int $seats): self
    {
        $memory = @shmop_open($id, 'w', 0, 0);

        return new self($memory !== false ? $memory : throw new RuntimeException('The shared notes are gone.'), $id, $keys, $seats);
    }

    /** Nobody can open it any more; who has it keeps it. */
    public function remove(): void
    {
        if (!$this->removed) {
            $this->removed = true;
            shmop_delete($this->memory);
        }
    }

    public function begun(int $key): int
    {
        return $this->number($this->begun + $key);
    }

    public function begin(int $key, int $generation): void
    {
        $this->note($this->begun + $key, $generation);
    }

    public function acknowledged(int $key): int
    {
        return $this->number($key);
    }

    public function acknowledge(int $key, int $generation): void
    {
        $this->note($key, $generation);
    }

    /** @return list<int> of neighbouring keys */
    public function begunFrom(int $key, int $count): array
    {
        return $this->numbers($this->begun + $key, $count);
    }

    /** @return list<int> */
    public function acknowledgedFrom(int $key, int $count): array
    {
        return $this->numbers($key, $count);
    }

    /** @param list<int> $generations */
    public function beginFrom(int $key, array $generations): void
    {
        shmop_write($this->memory, pack('q*', ...$generations), 8 * ($this->begun + $key));
    }

    /** @param list<int> $generations */
    public function acknowledgeFrom(int $key, array $generations): void
    {
        shmop_write($this->memory, pack('q*', ...$generations), 8 * $key);
    }

    /** @return non-empty-list<int> by seat, when its worker last got something done; nanoseconds */
    public function progress(): array
    {
        $progress = $this->numbers($this->progress, $this->seats);

        return $progress !== [] ? $progress : [0];
    }

    public function progressed(int $seat, int $now): void
    {
        $this->note($this->progress + $seat, $now);
    }

    public function seat(int $seat, Seat $what): int
    {
        return $this->number($this->seatsAt + self::SEAT * $seat + $what->value);
    }

    public function noteSeat(int $seat, Seat $what, int $number): void
    {
        $this->note($this->seatsAt + self::SEAT * $seat + $what->value, $number);
    }

    /** Of all seats. */
    public function sum(Seat $what): int
    {
        return array_sum(array_map(fn(int $seat): int => $this->seat($seat, $what), range(0, $this->seats - 1)));
    }

    public function longest(Seat $what): int
    {
        return max(array_map(fn(int $seat): int => $this->seat($seat, $what), range(0, $this->seats - 1)));
    }

    /** House 0 is who runs it all, 1 and up are the nurseries. */
    public function house(int $house, House $what): int
    {
        return $this->number($this->houses + self::HOUSE * $house + $what->value);
    }

    public function noteHouse(int $house, House $what, int $number): void
    {
        $this->note($this->houses + self::HOUSE * $house + $what->value, $number);
    }

    public function add(int $house, House $what, int $by = 1): void
    {
        $this->noteHouse($house, $what, $this->house($house, $what) + $by);
    }

    /** Of all houses. */
    public function total(House $what): int
    {
        return array_sum(array_map(fn(int $house): int => $this->house($house, $what), range(0, self::HOUSES - 1)));
    }

    private function number(int $place): int
    {
        return $this->numbers($place, 1)[0];
    }

    /** @return list<int> */
    private function numbers(int $place, int $count): array
    {
        /** @var array<int, int> $numbers */
        $numbers = unpack('q*', shmop_read($this->memory, 8 * $place, 8 * $count));

        return array_values($numbers);
    }

    private function note(int $place, int $number): void
    {
        shmop_write($this->memory, pack('q', $number), 8 * $place);
    }

    /** @return array{int, int, int, int} where the begun generations, the progress, the seats and the houses start */
    private static function places(int $keys, int $seats): array
    {
        $begun = $keys + self::COMMON + self::SUMS;
        $progress = $begun + $keys;

        return [$begun, $progress, $progress + $seats, $progress + $seats + self::SEAT * $seats];
    }
}
