<?php

declare(strict_types=1);

namespace Larder\Proof\Pages;

use Larder\Testbed\Server\DatabaseKind;

/** Which readers and writers a run has, on which hosts, and where each counts: readers, writers, then the deployer. */
final readonly class Crew
{
    /** Readers of the only host, and of each of several. */
    private const READERS = [3, 2];

    /** @var non-empty-list<WriterKind> a writer of each on each host */
    private array $kinds;

    /**
     * @param int<1, max> $hosts
     * @param int<1, max> $writing of the hosts, from the first on, that have writers
     */
    public function __construct(
        DatabaseKind $database,
        public int $hosts = 1,
        private int $writing = 1,
    ) {
        $this->kinds = WriterKind::on($database);
    }

    public function readers(): int
    {
        return $this->hosts * self::READERS[(int) ($this->hosts > 1)];
    }

    /** @return int<1, max> */
    public function writers(): int
    {
        return $this->writing * \count($this->kinds);
    }

    /** Places on the board. */
    public function size(): int
    {
        return $this->readers() + $this->writers() + 1;
    }

    public function hostOfReader(int $number): int
    {
        return $number % $this->hosts;
    }

    public function hostOfWriter(int $number): int
    {
        return $number % $this->writing;
    }

    public function kindOfWriter(int $number): WriterKind
    {
        return $this->kinds[intdiv($number, $this->writing)];
    }
}
