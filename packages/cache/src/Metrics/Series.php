<?php

declare(strict_types=1);

namespace Larder\Metrics;

/**
 * A name with labels, as one text in Prometheus' notation.
 *
 * @internal
 */
final readonly class Series
{
    /** Upper bounds of a histogram's buckets, in seconds: from a quick query to what a visitor does not wait for. */
    private const BOUNDS = ['0.001', '0.005', '0.025', '0.1', '0.5', '2.5', '10'];

    private const ALL = '+Inf';

    private const BUCKET = '_bucket';

    private const PAIR = '([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\\\n]|\\\\.)*)"';

    /** @param array<array-key, string> $labels */
    public static function of(string $name, array $labels): string
    {
        $pairs = [];
        foreach ($labels as $label => $value) {
            $pairs[] = $label . '="' . strtr($value, ['\\' => '\\\\', '"' => '\\"', "\n" => '\\n']) . '"';
        }

        return $pairs === [] ? $name : $name . '{' . implode(',', $pairs) . '}';
    }

    /**
     * What one observation adds to what is kept: to one bucket, not to all that are wider, so that little is kept.
     *
     * @param array<array-key, string> $labels
     *
     * @return array<string, int|float>
     */
    public static function observed(string $name, float $seconds, array $labels): array
    {
        $least = self::ALL;
        foreach (array_reverse(self::BOUNDS) as $bound) {
            $least = $seconds <= (float) $bound ? $bound : $least;
        }

        return [
            self::of($name . self::BUCKET, $labels + ['le' => $least]) => 1,
            self::of($name . '_sum', $labels) => $seconds,
        ];
    }

    /**
     * The series of what is kept, sorted: each bucket of a histogram has what is in the narrower ones too.
     *
     * @param array<string, int|float> $kept
     *
     * @return array<string, int|float>
     */
    public static function whole(array $kept): array
    {
        $whole = $histograms = $buckets = [];
        foreach ($kept as $series => $number) {
            [$name, $labels] = str_contains($series, self::BUCKET . '{') ? self::parse($series) : ['', []];
            $bound = $labels['le'] ?? null;
            if ($bound === null) {
                $whole[$series] = $number;
                continue;
            }
            unset($labels['le']);
            $name = substr($name, 0, -\strlen(self::BUCKET));
            $count = self::of($name . '_count', $labels);
            $whole[$count] = ($whole[$count] ?? 0) + $number;
            $histograms[$count] ??= [$name, $labels];
            $buckets[$count][$bound] = $number;
        }
        foreach ($histograms as $count => [$name, $labels]) {
            $sum = 0;
            foreach ([...self::BOUNDS, self::ALL] as $bound) {
                $sum += $buckets[$count][$bound] ?? 0;
                $whole[self::of($name . self::BUCKET, $labels + ['le' => $bound])] = $sum;
            }
        }
        ksort($whole);

        return $whole;
    }

    /** @return array{string, array<array-key, string>} the name and the labels; the whole text, if it is no series */
    public static function parse(string $series): array
    {
        $pair = self::PAIR;
        if (preg_match("/^([^{]*)\\{($pair(?:,$pair)*)\\}$/D", $series, $found) !== 1) {
            return [$series, []];
        }
        preg_match_all("/$pair/", $found[2], $pairs, PREG_SET_ORDER);
        $labels = [];
        foreach ($pairs as [, $label, $value]) {
            $labels[$label] = strtr($value, ['\\\\' => '\\', '\\"' => '"', '\\n' => "\n"]);
        }

        return [$found[1], $labels];
    }
}
