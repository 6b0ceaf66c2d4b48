<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Result\Chart;

/** What a chart's conditions are called in a heading. */
final readonly class Conditions
{
    /** Parameters that read better as "2 workers" than as "workers 2". */
    private const WORDS = ['check' => '%s check', 'reads' => '%s %% reads', 'rtt' => 'RTT %s ms', 'seconds' => '%s s'];
    private const COUNTED = ['workers' => 'worker', 'connections' => 'connection', 'servers' => 'server', 'batch' => 'key at once|keys at once'];

    /**
     * "2 workers, size 400".
     *
     * @param list<string>|null $names only these
     */
    public static function of(Chart $chart, ?array $names = null): string
    {
        $words = [];
        foreach ($chart->parameters as $name => $value) {
            if ($names === null || \in_array($name, $names, true)) {
                $words[] = self::one($name, $value);
            }
        }

        return $words === [] ? 'as it is' : implode(', ', $words);
    }

    public static function one(string $name, bool|float|int|string $value): string
    {
        if (\is_bool($value) && $name === 'keepalive') {
            return $value ? 'keep-alive' : 'no keep-alive';
        }
        if (\is_int($value) && isset(self::COUNTED[$name])) {
            return Figures::count($value, ...explode('|', self::COUNTED[$name]));
        }

        return \sprintf(self::WORDS[$name] ?? str_replace(['%', '_'], ['%%', ' '], $name) . ' %s', self::value($value));
    }

    public static function value(bool|float|int|string $value): string
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
        return $chart->parameters === [] ? $chart->title : $chart->title . ', ' . self::of($chart);
    }
}
