<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

/**
 * Plays the role of a database's log: each compute of any process leaves a line when it begins and one when it ends.
 *
 * A line has the worker (-1: the process that made the value before the workers began), the time in nanoseconds on the
 * clock of hrtime() and the moment as Unix time; `ended` is false for a beginning.
 *
 * @phpstan-type Compute array{ended: bool, worker: int, time: int, moment: float}
 */
final class ComputeLog
{
    private int $read = 0;

    public function __construct(private readonly string $file) {}

    /** Each line is one write to the end of the file, so that lines of several processes do not mix. */
    public function begins(int $worker): void
    {
        $this->add('begin', $worker);
    }

    public function ends(int $worker): void
    {
        $this->add('end', $worker);
    }

    /** @return list<Compute> the lines that were added since the last call */
    public function news(): array
    {
        $text = (string) @file_get_contents($this->file, false, null, $this->read);
        $text = substr($text, 0, (int) strrpos("\n" . $text, "\n"));
        $this->read += \strlen($text);
        preg_match_all('/^(begin|end) (-?\d+) (\d+) ([\d.]+)$/m', $text, $lines, PREG_SET_ORDER);

        return array_map(
            static fn(array $line): array => [
                'ended' => $line[1] === 'end',
                'worker' => (int) $line[2],
                'time' => (int) $line[3],
                'moment' => (float) $line[4],
            ],
            $lines,
        );
    }

    /** @return list<Compute> the beginnings of all computes, the earliest first */
    public function begun(): array
    {
        $lines = (new self($this->file))->news();
        $begun = array_values(array_filter($lines, static fn(array $line): bool => !$line['ended']));
        usort($begun, static fn(array $one, array $other): int => $one['time'] <=> $other['time']);

        return $begun;
    }

    public function remove(): void
    {
        @unlink($this->file);
    }

    /**
     * Groups the computes of a run by what caused them: the end of a value. One compute per end is needed; the others
     * in its group began while that one was under way or just done.
     *
     * @param list<Compute> $begun in the order of time
     * @param float         $apart seconds after the first compute of a group within which none belongs to the next
     *
     * @return list<int> number of computes of each end
     */
    public static function perExpiry(array $begun, float $apart): array
    {
        $computes = [];
        $first = null;
        foreach ($begun as $compute) {
            if ($first === null || $compute['time'] - $first > $apart * 1e9) {
                $first = $compute['time'];
                $computes[] = 0;
            }
            ++$computes[\count($computes) - 1];
        }

        return $computes;
    }

    /**
     * @param list<Compute> $begun
     *
     * @return array<string, float> the further figures of a cell; one compute per expiry is the optimum
     */
    public static function figures(array $begun, float $apart): array
    {
        $computes = self::perExpiry($begun, $apart);
        $expiries = \count($computes);

        return [
            'expiries' => (float) $expiries,
            'computes' => (float) \count($begun),
            'computes per expiry' => (float) (\count($begun) / max(1, $expiries)),
            'most computes of an expiry' => (float) max([0, ...$computes]),
        ];
    }

    private function add(string $what, int $worker): void
    {
        $line = \sprintf("%s %d %d %.3F\n", $what, $worker, hrtime(true), microtime(true));
        file_put_contents($this->file, $line, FILE_APPEND);
    }
}
