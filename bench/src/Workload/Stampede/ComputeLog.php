<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

/** What a database's log is to a site: a line for each compute that begins and each that ends, by whatever process. */
final class ComputeLog
{
    private int $read = 0;

    public function __construct(private readonly string $file) {}

    /** A line is one write to the end of the file: none gets lost among those of others. */
    public function begins(int $worker): void
    {
        $this->add('begin', $worker);
    }

    public function ends(int $worker): void
    {
        $this->add('end', $worker);
    }

    /** @return list<Compute> what was added since it was asked last */
    public function news(): array
    {
        $text = (string) @file_get_contents($this->file, false, null, $this->read);
        $text = substr($text, 0, (int) strrpos("\n" . $text, "\n"));
        $this->read += \strlen($text);
        preg_match_all('/^(begin|end) (-?\d+) (\d+) ([\d.]+)$/m', $text, $lines, PREG_SET_ORDER);

        return array_map(static fn(array $line): Compute => new Compute($line[1] === 'end', (int) $line[2], (int) $line[3], (float) $line[4]), $lines);
    }

    /** @return list<Compute> the computes that began, in their order */
    public function begun(): array
    {
        $begun = array_values(array_filter((new self($this->file))->news(), static fn(Compute $line): bool => !$line->ended));
        usort($begun, static fn(Compute $one, Compute $other): int => $one->time <=> $other->time);

        return $begun;
    }

    public function remove(): void
    {
        @unlink($this->file);
    }

    private function add(string $what, int $worker): void
    {
        file_put_contents($this->file, \sprintf("%s %d %d %.3F\n", $what, $worker, hrtime(true), microtime(true)), FILE_APPEND);
    }
}
