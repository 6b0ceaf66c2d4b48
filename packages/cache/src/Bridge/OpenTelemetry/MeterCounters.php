<?php

declare(strict_types=1);

namespace Larder\Bridge\OpenTelemetry;

use Larder\Metrics\Counters;
use Larder\Metrics\NullCounters;
use OpenTelemetry\API\Metrics\CounterInterface;
use OpenTelemetry\API\Metrics\HistogramInterface;
use OpenTelemetry\API\Metrics\MeterInterface;
use OpenTelemetry\API\Metrics\MeterProviderInterface;
use Throwable;

/**
 * Counts with OpenTelemetry's meters, for `open-telemetry/api`.
 *
 * Instruments have the names of the counters without the ends that an exporter to Prometheus adds: `_total`, and
 * `_seconds`, which is the unit `s`.
 */
final class MeterCounters implements Counters
{
    /** @var array<string, CounterInterface> */
    private array $counters = [];

    /** @var array<string, HistogramInterface> */
    private array $histograms = [];

    /** @param Counters $also counts too, such as the site's own for `larder stats`; all() is what it has */
    public function __construct(
        private readonly MeterProviderInterface $meters,
        private readonly Counters $also = new NullCounters(),
    ) {}

    public function add(string $name, int $by = 1, array $labels = []): void
    {
        try {
            $this->counters[$name] ??= $this->meter()->createCounter(self::without('_total', $name));
            $this->counters[$name]->add($by, $labels);
        } catch (Throwable) {
            // A count that cannot be kept is lost.
        }
        $this->also->add($name, $by, $labels);
    }

    public function observe(string $name, float $seconds, array $labels = []): void
    {
        try {
            $this->histograms[$name] ??= $this->meter()->createHistogram(self::without('_seconds', $name), 's');
            $this->histograms[$name]->record($seconds, $labels);
        } catch (Throwable) {
            // As above.
        }
        $this->also->observe($name, $seconds, $labels);
    }

    public function all(): array
    {
        return $this->also->all();
    }

    private function meter(): MeterInterface
    {
        return $this->meters->getMeter('larder');
    }

    private static function without(string $end, string $name): string
    {
        return str_ends_with($name, $end) ? substr($name, 0, -\strlen($end)) : $name;
    }
}
