<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Statistics\Quantile;

/** Counts the requests after an overload in slices of 100 ms, each in the slice in which it was due. */
final class Recovery
{
    private const SLICE = 100_000_000;

    /** This many normal slices in a row are no accident. */
    private const ROW = 5;

    /** @var array<int, list<float>> latencies in nanoseconds by slice */
    private array $latencies = [];

    /** @var array<int, true> slices in which something failed */
    private array $failed = [];

    /**
     * @param float $begin nanoseconds: the overload's end
     * @param float $end   nanoseconds: nothing was due from then on
     */
    public function __construct(
        private readonly float $begin,
        private readonly float $end,
    ) {}

    public function add(int $due, int $end, ?string $error): void
    {
        $slice = (int) floor(($due - $this->begin) / self::SLICE);
        if ($slice < 0) {
            return;
        }
        if ($error === null) {
            $this->latencies[$slice][] = (float) ($end - $due);
        } else {
            $this->failed[$slice] = true;
        }
    }

    /**
     * @param float $normal nanoseconds up to which a slice's median is
     *
     * @return float|null from the overload's end to the first normal slice that normal ones follow; null: there was
     *     none
     */
    public function seconds(float $normal): ?float
    {
        $slices = (int) ceil(($this->end - $this->begin) / self::SLICE);
        $row = 0;
        for ($slice = 0; $slice < $slices; ++$slice) {
            $row = $this->isNormal($slice, $normal) ? $row + 1 : 0;
            if ($row === self::ROW || ($row > 0 && $slice === $slices - 1 && $row === $slices)) {
                return ($slice + 1 - $row) * self::SLICE / 1e9;
            }
        }

        return null;
    }

    private function isNormal(int $slice, float $normal): bool
    {
        $latencies = $this->latencies[$slice] ?? [];

        // A slice in which no request was due is normal.
        return !isset($this->failed[$slice]) && ($latencies === [] || Quantile::median($latencies) <= $normal);
    }
}
