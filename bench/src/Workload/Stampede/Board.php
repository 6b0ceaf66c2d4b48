<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use Larder\Bench\Workload\CrewFailed;
use Shmop;

/** Numbers that a process shares with those it forks, beside any store that is measured; gone with the last of them. */
final readonly class Board
{
    /** Places for workers, behind those that have names. */
    public const MOST = 1024;

    /** The data's generation. */
    public const DATA = 0;

    /** The last generation of which its change was told to be done. */
    public const DONE = 1;

    /** When to begin, on the clock of hrtime(). */
    public const BEGIN = 2;

    /** Whether the next compute is to be a slow one. */
    public const SLOW = 3;

    private const NAMED = 8;
    private const SIZE = 8;

    private Shmop $memory;

    /** @param int $numbers behind those that have names */
    public function __construct(private int $numbers = self::MOST)
    {
        $memory = @shmop_open(0, 'c', 0o600, (self::NAMED + $numbers) * self::SIZE);
        if ($memory === false) {
            throw new CrewFailed('no shared memory for the workers\' own numbers');
        }
        // At once: it is then given back with the last process that has it, however that ends.
        shmop_delete($memory);
        $this->memory = $memory;
    }

    public function get(int $name): int
    {
        /** @var array{1: int} $number */
        $number = unpack('P', shmop_read($this->memory, $name * self::SIZE, self::SIZE));

        return $number[1];
    }

    public function put(int $name, int $number): void
    {
        shmop_write($this->memory, pack('P', $number), $name * self::SIZE);
    }

    /** A number of one worker, or of one thing. */
    public function of(int $index): int
    {
        return $this->get(self::NAMED + $index);
    }

    public function set(int $index, int $number): void
    {
        $this->put(self::NAMED + $index, $number);
    }

    /**
     * @param list<int> $indexes
     *
     * @return array<int, int> by index
     */
    public function several(array $indexes): array
    {
        $numbers = [];
        foreach ($indexes as $index) {
            $numbers[$index] = $this->of($index);
        }

        return $numbers;
    }

    /** How many of the first so many are not 0. */
    public function raised(int $count): int
    {
        $bytes = str_split(shmop_read($this->memory, self::NAMED * self::SIZE, min($count, $this->numbers) * self::SIZE), self::SIZE);

        return \count(array_filter($bytes, static fn(string $number): bool => $number !== str_repeat("\0", self::SIZE)));
    }
}
