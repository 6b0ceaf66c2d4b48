<?php

declare(strict_types=1);

namespace Larder\Metrics;

/** Counters that all processes of one host share, in a small file that is changed under flock(2). */
final readonly class FileCounters implements Counters
{
    /** 10 ms in all. If a process is stopped while it holds the lock, the others lose a count and do not wait. */
    private const TRIES = 50;
    private const PAUSE = 200;

    public function __construct(private string $path) {}

    public function add(string $name, int $by = 1): void
    {
        $file = @fopen($this->path, 'c+e');
        for ($try = 0; $file !== false && $try < self::TRIES; ++$try) {
            if (flock($file, LOCK_EX | LOCK_NB)) {
                $old = (string) stream_get_contents($file);
                $counts = self::decode($old);
                $counts[$name] = ($counts[$name] ?? 0) + $by;
                $new = json_encode($counts, JSON_THROW_ON_ERROR);
                rewind($file);
                fwrite($file, $new);
                // Not to nothing first: ext4 would write such a file to the disk when it is closed.
                if (\strlen($new) < \strlen($old)) {
                    ftruncate($file, \strlen($new));
                }
                break;
            }
            usleep(self::PAUSE);
        }
        if ($file !== false) {
            fclose($file);
        }
    }

    public function all(): array
    {
        $counts = self::decode((string) @file_get_contents($this->path));
        ksort($counts);

        return $counts;
    }

    /** @return array<string, int> */
    private static function decode(string $json): array
    {
        $counts = json_decode($json, true);

        return \is_array($counts)
            ? array_filter(
                $counts,
                static fn(mixed $count, mixed $name): bool => \is_int($count) && \is_string($name),
                ARRAY_FILTER_USE_BOTH,
            )
            : [];
    }
}
