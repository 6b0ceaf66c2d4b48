<?php

declare(strict_types=1);

namespace Larder\Torture\Client;

use RuntimeException;
use Shmop;

/**
 * Numbers that all processes of a run see.
 *
 * For each place, which is a key of one writer, the generation that its writer has begun and the last one that was acknowledged; what is
 * noted of each seat; the faults that each proxy has made. Each number has one writer at a time, eight bytes are read and
 * written in one piece, and what a killed process had noted stays.
 */
final class Notes
{
    private const SEAT = 16;
    private const FAULTS = 32;
    private const RUN = 2;
    private const END = 0;
    private const IDLE = 1;

    private readonly int $seatsAt;
    private readonly int $faultsAt;
    private readonly int $runAt;
    private bool $removed = false;

    private function __construct(
        private readonly Shmop $memory,
        public readonly int $id,
        public readonly int $places,
        public readonly int $seats,
        public readonly int $servers,
    ) {
        $this->seatsAt = 2 * $places;
        $this->faultsAt = $this->seatsAt + self::SEAT * $seats;
        $this->runAt = $this->faultsAt + self::FAULTS * $servers;
    }

    public static function make(int $places, int $seats, int $servers): self
    {
        $id = random_int(1, 0x7FFFFFFF);
        $memory = @shmop_open($id, 'n', 0o600, 8 * (2 * $places + self::SEAT * $seats + self::FAULTS * $servers + self::RUN));

        return new self($memory !== false ? $memory : throw new RuntimeException('The system gives no shared memory for the notes.'), $id, $places, $seats, $servers);
    }

    public static function open(int $id, int $places, int $seats, int $servers): self
    {
        $memory = @shmop_open($id, 'w', 0, 0);

        return new self($memory !== false ? $memory : throw new RuntimeException('The shared notes are gone.'), $id, $places, $seats, $servers);
    }

    public function remove(): void
    {
        if (!$this->removed) {
            $this->removed = true;
            shmop_delete($this->memory);
        }
    }

    /** The next generation of this place, noted as begun. */
    public function begin(int $place): int
    {
        $generation = $this->number(2 * $place) + 1;
        $this->note(2 * $place, $generation);

        return $generation;
    }

    /** The last one begun was not done for certain. */
    public function take(int $place): void
    {
        $this->note(2 * $place, $this->number(2 * $place) - 1);
    }

    public function begun(int $place): int
    {
        return $this->number(2 * $place);
    }

    public function acknowledge(int $place, int $generation): void
    {
        $this->note(2 * $place + 1, $generation);
    }

    public function acknowledged(int $place): int
    {
        return $this->number(2 * $place + 1);
    }

    public function seat(int $seat, Note $what): int
    {
        return $this->number($this->seatsAt + self::SEAT * $seat + $what->value);
    }

    public function noteSeat(int $seat, Note $what, int $number): void
    {
        $this->note($this->seatsAt + self::SEAT * $seat + $what->value, $number);
    }

    public function add(int $seat, Note $what, int $by = 1): void
    {
        $this->noteSeat($seat, $what, $this->seat($seat, $what) + $by);
    }

    /** Of all seats. */
    public function sum(Note $what): int
    {
        return array_sum(array_map(fn(int $seat): int => $this->seat($seat, $what), range(0, $this->seats - 1)));
    }

    public function longest(Note $what): int
    {
        return max(array_map(fn(int $seat): int => $this->seat($seat, $what), range(0, $this->seats - 1)));
    }

    public function made(int $server, Fault $fault): void
    {
        $place = $this->faultsAt + self::FAULTS * $server + $fault->value;
        $this->note($place, $this->number($place) + 1);
    }

    /** How often the proxies of all servers made it. */
    public function faults(Fault $fault): int
    {
        return array_sum(array_map(fn(int $server): int => $this->number($this->faultsAt + self::FAULTS * $server + $fault->value), range(0, $this->servers - 1)));
    }

    public function allFaults(): int
    {
        return array_sum(array_map($this->faults(...), Fault::cases()));
    }

    /** When to stop, nanoseconds. */
    public function end(): int
    {
        return $this->number($this->runAt + self::END);
    }

    public function endAt(int $when): void
    {
        $this->note($this->runAt + self::END, $when);
    }

    /** The longest that a process was late which only sleeps, nanoseconds. */
    public function idle(): int
    {
        return $this->number($this->runAt + self::IDLE);
    }

    public function noteIdle(int $late): void
    {
        $this->note($this->runAt + self::IDLE, $late);
    }

    private function number(int $place): int
    {
        /** @var array{1: int} $number */
        $number = unpack('q', shmop_read($this->memory, 8 * $place, 8));

        return $number[1];
    }

    private function note(int $place, int $number): void
    {
        shmop_write($this->memory, pack('q', $number), 8 * $place);
    }
}
