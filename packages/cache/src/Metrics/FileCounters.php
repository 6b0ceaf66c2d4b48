<?php

declare(strict_types=1);

namespace Larder\Metrics;

/** Counters that all processes of one host share, in a small file that is changed under flock(2). */
final readonly class FileCounters implements Counters
{
    private SharedFile $file;

    /** @param History|null $history notes them once a minute */
    public function __construct(string $path, private ?History $history = null)
    {
        $this->file = new SharedFile($path);
    }

    public function add(string $name, int $by = 1, array $labels = []): void
    {
        $this->change([Series::of($name, $labels) => $by]);
    }

    public function observe(string $name, float $seconds, array $labels = []): void
    {
        $this->change(Series::observed($name, $seconds, $labels));
    }

    public function all(): array
    {
        return Series::whole(self::decode($this->file->read()));
    }

    /** @param array<string, int|float> $amounts to add, by series */
    private function change(array $amounts): void
    {
        $this->file->change(function (string $old) use ($amounts): string {
            $counts = self::decode($old);
            foreach ($amounts as $series => $by) {
                $counts[$series] = ($counts[$series] ?? 0) + $by;
            }
            // Under the lock, so that one process alone notes a minute.
            $this->history?->note($counts);

            return json_encode($counts, JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE);
        });
    }

    /** @return array<string, int|float> */
    private static function decode(string $json): array
    {
        $counts = json_decode($json, true);

        return \is_array($counts)
            ? array_filter(
                $counts,
                static fn(mixed $count, mixed $name): bool
                    => (\is_int($count) || \is_float($count)) && \is_string($name),
                ARRAY_FILTER_USE_BOTH,
            )
            : [];
    }
}
