<?php

declare(strict_types=1);

namespace Larder\Tests\Bridge\OpenTelemetry;

use Larder\Bridge\OpenTelemetry\MeterCounters;
use Larder\Cache;
use Larder\Metrics\MemoryCounters;
use Larder\Store\ArrayStore;
use Larder\Tests\Support\Counted;
use OpenTelemetry\API\Metrics\MeterProviderInterface;
use OpenTelemetry\SDK\Metrics\Data\Histogram;
use OpenTelemetry\SDK\Metrics\Data\Metric;
use OpenTelemetry\SDK\Metrics\Data\Sum;
use OpenTelemetry\SDK\Metrics\MeterProvider;
use OpenTelemetry\SDK\Metrics\MetricExporter\InMemoryExporter;
use OpenTelemetry\SDK\Metrics\MetricReader\ExportingReader;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use RuntimeException;

/** With the SDK that OpenTelemetry has, whose exporter keeps what it gets. */
#[CoversClass(MeterCounters::class)]
final class MeterCountersTest extends TestCase
{
    public function testTheMetersGetWhatTheCacheCounts(): void
    {
        $exporter = new InMemoryExporter();
        $reader = new ExportingReader($exporter);
        $also = new MemoryCounters();
        $counters = new MeterCounters(MeterProvider::builder()->addReader($reader)->build(), $also);
        $cache = new Cache(new ArrayStore(), counters: $counters);
        $cache->remember('k', static fn(): int => 1);
        $cache->remember('k', static fn(): int => 1);
        $cache->remember('k', static fn(): int => 1);
        $cache->flush();
        $reader->collect();
        $found = [];
        foreach ($exporter->collect() as $metric) {
            self::assertSame('larder', $metric->instrumentationScope->getName());
            $found[$metric->name . ' ' . $metric->unit] = self::points($metric);
        }

        self::assertSame([
            'larder_cache_requests ' => [
                '{"store":"array","result":"miss"}' => 1,
                '{"store":"array","result":"hit"}' => 2,
            ],
            'larder_cache_compute_duration s' => ['{"store":"array"}' => 1],
        ], $found);
        self::assertSame($also->all(), $counters->all());
        self::assertSame(2, Counted::by($counters)['larder_cache_requests_total{result="hit"}']);
    }

    public function testMetersThatFailDoNotBreakWhatIsCounted(): void
    {
        $provider = self::createStub(MeterProviderInterface::class);
        $counters = new MeterCounters($provider, $also = new MemoryCounters());
        $provider->method('getMeter')->willThrowException(new RuntimeException());
        $counters->add('a_total');
        $counters->observe('a_seconds', 1.0);

        self::assertSame(1, $also->all()['a_total']);
        self::assertSame(1, $also->all()['a_seconds_count']);
    }

    /** @return array<string, int|float> by labels */
    private static function points(Metric $metric): array
    {
        $points = [];
        if ($metric->data instanceof Sum) {
            foreach ($metric->data->dataPoints as $point) {
                $points[json_encode($point->attributes->toArray(), JSON_THROW_ON_ERROR)] = $point->value;
            }
        }
        if ($metric->data instanceof Histogram) {
            foreach ($metric->data->dataPoints as $point) {
                $points[json_encode($point->attributes->toArray(), JSON_THROW_ON_ERROR)] = $point->count;
            }
        }

        return $points;
    }
}
