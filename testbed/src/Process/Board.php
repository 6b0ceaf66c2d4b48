<?php

declare(strict_types=1);

namespace Larder\Testbed\Process;

use OutOfRangeException;
use RuntimeException;
use Shmop;
use UnitEnum;

/**
 * Numbers that several processes see at once, in shared memory beside any store under test.
 *
 *     $board = Board::create(['begun' => $keys, Count::class => $workers]);
 *     $board->set('begun', 7, index: 3);
 *     $board->add(Count::Reads, index: $worker);
 *     $board->sum(Count::Reads);
 *
 * A series has a name and a number of places. An enum's class stands for a series per case.
 *
 * Eight bytes are read and written in one piece, and a killed process leaves what it wrote. Each place has one writer
 * at a time: add() reads and then writes. What several processes count, each counts at an index that no other uses;
 * sum() adds these up.
 */
final class Board
{
    private const WIDTH = 8;

    private bool $removed = false;

    /** @param array<string, array{int, int}> $series first place and number of places, by name */
    private function __construct(
        private readonly Shmop $memory,
        /** For open(); 0: only forks of the creating process see the board. */
        public readonly int $id,
        private readonly array $series,
    ) {}

    /**
     * A board for this process and its forks. The system frees it after the last of them.
     *
     * @param array<string, int> $sizes number of places by name, or by the class of an enum
     */
    public static function create(array $sizes): self
    {
        $series = self::layout($sizes);
        // Key 0 is IPC_PRIVATE: no other process can open it.
        $memory = @shmop_open(0, 'c', 0o600, self::bytes($series));
        if ($memory === false) {
            throw new RuntimeException('The system gives no shared memory for a board.');
        }
        shmop_delete($memory);

        return new self($memory, 0, $series);
    }

    /**
     * A board that other processes can open by its id until remove() is called.
     *
     * @param array<string, int> $sizes
     */
    public static function share(array $sizes): self
    {
        $series = self::layout($sizes);
        $id = random_int(1, 0x7FFFFFFF);
        $memory = @shmop_open($id, 'n', 0o600, self::bytes($series));
        if ($memory === false) {
            throw new RuntimeException('The system gives no shared memory for a board.');
        }

        return new self($memory, $id, $series);
    }

    /** @param array<string, int> $sizes the same as share() got */
    public static function open(int $id, array $sizes): self
    {
        $memory = @shmop_open($id, 'w', 0, 0);
        if ($memory === false) {
            throw new RuntimeException("The board $id is gone.");
        }

        return new self($memory, $id, self::layout($sizes));
    }

    /** After this no process can open the board. Processes that have it open keep it. */
    public function remove(): void
    {
        if (!$this->removed && $this->id !== 0) {
            $this->removed = true;
            shmop_delete($this->memory);
        }
    }

    public function get(string|UnitEnum $name, int $index = 0): int
    {
        /** @var array{1: int} $number */
        $number = unpack('q', shmop_read($this->memory, $this->place($name, $index) * self::WIDTH, self::WIDTH));

        return $number[1];
    }

    public function set(string|UnitEnum $name, int $number, int $index = 0): void
    {
        shmop_write($this->memory, pack('q', $number), $this->place($name, $index) * self::WIDTH);
    }

    /** @return int the new number */
    public function add(string|UnitEnum $name, int $by = 1, int $index = 0): int
    {
        $number = $this->get($name, $index) + $by;
        $this->set($name, $number, $index);

        return $number;
    }

    /** Sets the number if it is higher than the present one. */
    public function raise(string|UnitEnum $name, int $number, int $index = 0): void
    {
        if ($number > $this->get($name, $index)) {
            $this->set($name, $number, $index);
        }
    }

    /** @return list<int> neighbouring numbers, read at once */
    public function range(string|UnitEnum $name, int $from, int $count): array
    {
        if ($count < 1) {
            return [];
        }
        $this->place($name, $from + $count - 1);
        /** @var array<int, int> $numbers */
        $numbers = unpack(
            'q*',
            shmop_read($this->memory, $this->place($name, $from) * self::WIDTH, $count * self::WIDTH),
        );

        return array_values($numbers);
    }

    /** @param list<int> $numbers */
    public function setRange(string|UnitEnum $name, int $from, array $numbers): void
    {
        if ($numbers !== []) {
            $this->place($name, $from + \count($numbers) - 1);
            shmop_write($this->memory, pack('q*', ...$numbers), $this->place($name, $from) * self::WIDTH);
        }
    }

    /** @return list<int> every number of a series */
    public function all(string|UnitEnum $name): array
    {
        return $this->range($name, 0, $this->count($name));
    }

    public function sum(string|UnitEnum $name): int
    {
        return array_sum($this->all($name));
    }

    public function max(string|UnitEnum $name): int
    {
        return max([0, ...$this->all($name)]);
    }

    /** @return int number of places in a series */
    public function count(string|UnitEnum $name): int
    {
        return $this->found($name)[1];
    }

    /** @return array<string, list<int>> all numbers by name; a case of an enum is named `Class::Case` */
    public function snapshot(): array
    {
        $numbers = [];
        foreach (array_keys($this->series) as $name) {
            $numbers[$name] = $this->all($name);
        }

        return $numbers;
    }

    private function place(string|UnitEnum $name, int $index): int
    {
        [$first, $count] = $this->found($name);
        if ($index < 0 || $index >= $count) {
            throw new OutOfRangeException(
                \sprintf('%s has %d places, and no place %d.', self::name($name), $count, $index),
            );
        }

        return $first + $index;
    }

    /** @return array{int, int} */
    private function found(string|UnitEnum $name): array
    {
        $name = self::name($name);

        return $this->series[$name] ?? throw new OutOfRangeException("The board has no series $name.");
    }

    private static function name(string|UnitEnum $name): string
    {
        return \is_string($name) ? $name : $name::class . '::' . $name->name;
    }

    /**
     * @param array<string, int> $sizes
     *
     * @return array<string, array{int, int}>
     */
    private static function layout(array $sizes): array
    {
        $series = [];
        $next = 0;
        foreach ($sizes as $name => $size) {
            $names = is_subclass_of($name, UnitEnum::class) ? array_map(self::name(...), $name::cases()) : [$name];
            foreach ($names as $one) {
                $series[$one] = [$next, $size];
                $next += $size;
            }
        }

        return $series;
    }

    /** @param array<string, array{int, int}> $series */
    private static function bytes(array $series): int
    {
        return max(1, array_sum(array_column($series, 1))) * self::WIDTH;
    }
}
