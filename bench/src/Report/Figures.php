<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Result\Chart;
use Larder\Bench\Result\Comparison;
use Larder\Bench\Result\Interval;
use Larder\Bench\Result\Verdict;

/** How figures are written, in every report alike: three digits mean something here, a fourth would be noise. */
final readonly class Figures
{
    public const NONE = '–';

    /** Parameters that read better as "2 workers" than as "workers 2". */
    private const WORDS = ['check' => '%s check', 'reads' => '%s %% reads', 'rtt' => 'RTT %s ms', 'seconds' => '%s s'];
    private const COUNTED = [
        'workers' => 'worker',
        'connections' => 'connection',
        'servers' => 'server',
        'batch' => 'key at once|keys at once',
    ];

    /** 83214.7 becomes "83,200". */
    public static function number(?float $value): string
    {
        if ($value === null || !is_finite($value)) {
            return self::NONE;
        }
        if ($value === 0.0) {
            return '0';
        }
        $decimals = 2 - (int) floor(log10(abs($value)));
        $rounded = round($value, $decimals);

        return number_format($rounded, max(0, min(4, 2 - (int) floor(log10(abs($rounded))))), '.', ',');
    }

    /** 83214.7 becomes "83.2k", for an axis or a narrow column. */
    public static function short(?float $value): string
    {
        return match (true) {
            $value === null => self::NONE,
            abs($value) >= 999.5e6 => self::trimmed($value / 1e9) . 'G',
            abs($value) >= 999.5e3 => self::trimmed($value / 1e6) . 'M',
            abs($value) >= 999.5 => self::trimmed($value / 1e3) . 'k',
            default => self::trimmed($value),
        };
    }

    /** 0.0123 becomes "1.2 %". */
    public static function share(?float $share): string
    {
        return match (true) {
            $share === null => self::NONE,
            $share === 0.0 => '0 %',
            abs($share) < 0.0005 => '< 0.1 %',
            abs($share) < 0.0995 => \sprintf('%.1f %%', $share * 100),
            default => \sprintf('%.0f %%', $share * 100),
        };
    }

    /** What is known to the last digit: "12,682" bytes, "8" workers, "0.25" ms. */
    public static function exact(float $value): string
    {
        return floor($value) === $value && abs($value) < 1e12 ? number_format($value) : self::number($value);
    }

    /** A threshold: 0.05 becomes "5 %". */
    public static function percent(float $share): string
    {
        return \sprintf('%g %%', $share * 100);
    }

    /** "± 1.2 %", of the median. */
    public static function spread(?Interval $interval): string
    {
        $half = $interval?->halfWidth();

        return $half === null ? self::NONE : '± ' . self::share($half);
    }

    /** "81,300 to 85,000". */
    public static function range(?Interval $interval): string
    {
        return $interval === null || $interval->low === null || $interval->high === null
            ? self::NONE
            : \sprintf('%s to %s', self::number($interval->low), self::number($interval->high));
    }

    /** "1.42", for ratios, whose digits after the point count near 1. */
    public static function ratio(?float $ratio): string
    {
        return match (true) {
            $ratio === null => self::NONE,
            $ratio >= 0.095 && $ratio < 9.995 => \sprintf('%.2f', $ratio),
            default => self::number($ratio),
        };
    }

    /** "1.38–1.47". */
    public static function bounds(Comparison $comparison): string
    {
        return $comparison->low === null || $comparison->high === null
            ? 'no interval'
            : self::ratio($comparison->low) . '–' . self::ratio($comparison->high);
    }

    /** "1.42 (1.38–1.47)", with "=" before it where the two are equal. */
    public static function comparison(Comparison $comparison): string
    {
        $text = \sprintf('%s (%s)', self::ratio($comparison->ratio), self::bounds($comparison));

        return $comparison->verdict === Verdict::Equal ? '= ' . $text : $text;
    }

    /** "5 min 12 s". */
    public static function duration(float $seconds): string
    {
        $whole = (int) round($seconds);

        return match (true) {
            $whole < 60 => $whole . ' s',
            $whole < 3600 => \sprintf('%d min %d s', intdiv($whole, 60), $whole % 60),
            default => \sprintf('%d h %d min', intdiv($whole, 3600), intdiv($whole % 3600, 60)),
        };
    }

    /** "3 charts", "1 chart". */
    public static function count(int $count, string $one, ?string $many = null): string
    {
        return \sprintf('%d %s', $count, $count === 1 ? $one : $many ?? $one . 's');
    }

    private static function trimmed(float $value): string
    {
        $text = self::number($value);

        return str_contains($text, '.') ? rtrim(rtrim($text, '0'), '.') : $text;
    }

    /**
     * "2 workers, size 400".
     *
     * @param list<string>|null $names only these
     */
    public static function conditions(Chart $chart, ?array $names = null): string
    {
        $words = [];
        foreach ($chart->parameters as $name => $value) {
            if ($names === null || \in_array($name, $names, true)) {
                $words[] = self::condition($name, $value);
            }
        }

        return $words === [] ? 'no parameters' : implode(', ', $words);
    }

    public static function condition(string $name, bool|float|int|string $value): string
    {
        if (\is_bool($value) && $name === 'keepalive') {
            return $value ? 'keep-alive' : 'no keep-alive';
        }
        if (\is_int($value) && isset(self::COUNTED[$name])) {
            return self::count($value, ...explode('|', self::COUNTED[$name]));
        }

        return \sprintf(
            self::WORDS[$name] ?? str_replace(['%', '_'], ['%%', ' '], $name) . ' %s',
            self::parameter($value),
        );
    }

    public static function parameter(bool|float|int|string $value): string
    {
        return match (true) {
            \is_bool($value) => $value ? 'yes' : 'no',
            \is_int($value) && abs($value) >= 10_000 => number_format($value),
            default => (string) $value,
        };
    }

    /** "B1 keys: set, then get, 2 workers". */
    public static function title(Chart $chart): string
    {
        return $chart->parameters === [] ? $chart->title : $chart->title . ', ' . self::conditions($chart);
    }
}
