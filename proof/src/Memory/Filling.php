<?php

declare(strict_types=1);

namespace Larder\Proof\Memory;

use Larder\SharedMemory;
use Larder\Testbed\Process\Findings;

/**
 * Numbers that lie in the segment during a run, in namespaces that no worker knows: so the run meets a table of that
 * size. At its end each must be what it was, or have been evicted.
 */
final readonly class Filling
{
    private const FILE = '/filling.json';

    /** Keys of one call. */
    private const CHUNK = 1000;

    public function __construct(
        public int $entries,
        public int $namespaces,
    ) {}

    /** The one that write() has left for the processes of this run; null: none. */
    public static function in(string $directory): ?self
    {
        $numbers = json_decode((string) @file_get_contents($directory . self::FILE), true);
        $number = static fn(int $at): int => \is_array($numbers) && \is_int($numbers[$at] ?? null) ? $numbers[$at] : 0;

        return $number(0) > 0 ? new self($number(0), $number(1)) : null;
    }

    public function write(string $directory): void
    {
        file_put_contents($directory . self::FILE, json_encode([$this->entries, $this->namespaces]));
    }

    public function fill(): void
    {
        foreach ($this->chunks() as [$space, $values]) {
            (new SharedMemory($space))->setMultiple($values);
        }
    }

    /**
     * Reads and deletes all of them.
     *
     * @return int how many were still there
     */
    public function take(Findings $findings): int
    {
        $hits = 0;
        foreach ($this->chunks() as [$space, $values]) {
            $store = new SharedMemory($space);
            $found = $store->getMultiple(array_keys($values));
            foreach ($found as $key => $value) {
                if ($value !== null && $value !== $values[$key]) {
                    $findings->add("number $values[$key] of $space is now " . json_encode($value));
                }
                $hits += $value !== null ? 1 : 0;
            }
            $store->deleteMultiple(array_keys($values));
        }

        return $hits;
    }

    /** @return iterable<array{string, array<string, int>}> namespace, number by key */
    private function chunks(): iterable
    {
        $each = max(1, intdiv($this->entries, $this->namespaces));
        for ($first = 0; $first < $this->entries; $first = $end) {
            $space = intdiv($first, $each);
            $end = min($this->entries, ($space + 1) * $each, $first + self::CHUNK);
            $values = [];
            for ($number = $first; $number < $end; ++$number) {
                $values["number:$number"] = $number;
            }
            yield ["space-$space", $values];
        }
    }
}
