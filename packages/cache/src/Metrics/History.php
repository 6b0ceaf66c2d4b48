<?php

declare(strict_types=1);

namespace Larder\Metrics;

use Closure;
use Psr\Clock\ClockInterface;

/**
 * What was counted, once a minute, in a file of a bounded length: some 12 hours at least. What is told apart by result
 * or cause stays apart; stores, routes and tables are summed.
 */
final readonly class History
{
    private const SECONDS = 60;

    /** Bytes of the file at most. Of a longer one the newer half stays. */
    private const MOST = 2 << 20;

    /** Labels by which series stay apart. */
    private const LABELS = ['result' => true, 'cause' => true, 'kind' => true];

    private SharedFile $file;

    /**
     * @param (Closure(): array<string, int|float>)|null $more gives further series, such as the hits of nginx
     */
    public function __construct(
        private string $path,
        private ?Closure $more = null,
        private ?ClockInterface $clock = null,
        private int $most = self::MOST,
    ) {
        $this->file = new SharedFile($path);
    }

    /** @param array<string, int|float> $counts by series; they are kept if no others of this minute are */
    public function note(array $counts): void
    {
        $now = $this->clock?->now()->getTimestamp() ?? time();
        if (intdiv($this->file->changed() ?? 0, self::SECONDS) >= intdiv($now, self::SECONDS)) {
            return;
        }
        $more = $this->more === null ? [] : ($this->more)();
        foreach ($more as $series => $number) {
            $counts[$series] = ($counts[$series] ?? 0) + $number;
        }
        $this->file->append(
            json_encode(
                ['at' => $now, 'counts' => self::summed($counts)],
                JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE,
            ),
            $this->most,
        );
        @touch($this->path, $now);
    }

    /**
     * @param int<1, max> $most samples; of more, each second, third … one is left out
     *
     * @return list<array{at: int, counts: array<string, int|float>}> oldest first
     */
    public function samples(int $most): array
    {
        $lines = explode("\n", trim($this->file->read()));
        $step = max(1, (int) ceil(\count($lines) / $most));
        $samples = [];
        // Counted from the end, so that the newest is there.
        for ($place = \count($lines) - 1; $place >= 0; $place -= $step) {
            $sample = json_decode($lines[$place], true);
            $at = \is_array($sample) ? $sample['at'] ?? null : null;
            $counts = \is_array($sample) ? $sample['counts'] ?? null : null;
            if (\is_int($at) && \is_array($counts)) {
                $numbers = array_filter($counts, static fn(mixed $number): bool
                    => \is_int($number) || \is_float($number));
                $samples[] = ['at' => $at, 'counts' => array_combine(
                    array_map(strval(...), array_keys($numbers)),
                    $numbers,
                )];
            }
        }

        return array_reverse($samples);
    }

    /**
     * @internal also for what is shown beside a history
     *
     * @param array<string, int|float> $counts by series
     *
     * @return array<string, int|float>
     */
    public static function summed(array $counts): array
    {
        $sums = [];
        foreach ($counts as $series => $number) {
            [$name, $labels] = Series::parse($series);
            // Histograms are kept by their buckets alone, as Series::observed() has them.
            if (isset($labels['le'])) {
                $name = (string) preg_replace('/_bucket$/D', '_count', $name);
            }
            $sum = Series::of($name, array_intersect_key($labels, self::LABELS));
            $sums[$sum] = ($sums[$sum] ?? 0) + $number;
        }

        return $sums;
    }
}
