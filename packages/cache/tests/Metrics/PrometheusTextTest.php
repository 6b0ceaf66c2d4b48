<?php

declare(strict_types=1);

namespace Larder\Tests\Metrics;

use Larder\Cache;
use Larder\Metrics\MemoryCounters;
use Larder\Metrics\NullCounters;
use Larder\Metrics\PrometheusText;
use Larder\Metrics\Series;
use Larder\Store\ArrayStore;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use ValueError;

#[CoversClass(PrometheusText::class)]
#[CoversClass(Series::class)]
final class PrometheusTextTest extends TestCase
{
    public function testWritesEachCounterGaugeAndHistogram(): void
    {
        $counters = new MemoryCounters();
        $counters->add('news_total', 3);
        $counters->add('larder_cache_requests_total', 12, ['store' => 'array', 'result' => 'miss']);
        $counters->add('larder_cache_requests_total', 2, ['store' => 'array', 'result' => 'hit']);
        $counters->observe('work_seconds', 0.25);
        $counters->observe('work_seconds', 20.5);

        self::assertSame(
            <<<'TEXT'
                # HELP larder_cache_requests_total Requests for values, by what became of them.
                # TYPE larder_cache_requests_total counter
                larder_cache_requests_total{store="array",result="hit"} 2
                larder_cache_requests_total{store="array",result="miss"} 12
                # TYPE news_total counter
                news_total 3
                # TYPE work_seconds histogram
                work_seconds_bucket{le="0.001"} 0
                work_seconds_bucket{le="0.005"} 0
                work_seconds_bucket{le="0.025"} 0
                work_seconds_bucket{le="0.1"} 0
                work_seconds_bucket{le="0.5"} 1
                work_seconds_bucket{le="2.5"} 1
                work_seconds_bucket{le="10"} 1
                work_seconds_bucket{le="+Inf"} 2
                work_seconds_count 2
                work_seconds_sum 20.75
                # HELP larder_memory_entries Values in it.
                # TYPE larder_memory_entries gauge
                larder_memory_entries 7

                TEXT,
            (new PrometheusText())->of($counters, ['larder_memory_entries' => 7]),
        );
    }

    public function testLabelsOfASeriesComeBackAsTheyWere(): void
    {
        $labels = ['path' => "C:\\\"x\"\n}", 'b' => ''];

        self::assertSame(['a_total', $labels], Series::parse(Series::of('a_total', $labels)));
        self::assertSame(['a{b}', []], Series::parse('a{b}'));
    }

    public function testALabelOfTheSeriesIsNotOverwritten(): void
    {
        $counters = new MemoryCounters();
        $counters->add('a_total', labels: ['store' => 'redis']);

        self::assertStringEndsWith(
            "\na_total{store=\"redis\",host=\"web 1\"} 1\n",
            (new PrometheusText(['host' => 'web 1', 'store' => 'x']))->of($counters),
        );
    }

    public function testWithoutCountersThereIsNothing(): void
    {
        self::assertSame('', (new PrometheusText())->of(new NullCounters()));
    }

    public function testWhatASiteCountsCanBeExplained(): void
    {
        $counters = new MemoryCounters();
        $counters->add('news_total');

        self::assertStringStartsWith(
            "# HELP news_total One line\\nand \\\\ \"more\"\n",
            (new PrometheusText(help: ['news_total' => "One line\nand \\ \"more\""]))->of($counters),
        );
    }

    public function testLabelsAreEscaped(): void
    {
        $counters = new MemoryCounters();
        $counters->add('a_total');
        $text = new PrometheusText(['host' => 'web 1', 'path' => "C:\\\"x\"\n", '_l' => 'schlüssel']);

        self::assertSame(
            "# TYPE a_total counter\na_total{host=\"web 1\",path=\"C:\\\\\\\"x\\\"\\n\",_l=\"schlüssel\"} 1\n",
            $text->of($counters),
        );
    }

    /** @return iterable<string, array{string}> */
    public static function badLabels(): iterable
    {
        foreach (['', '1', 'a-b', 'ü', '__name__', "a\n", 'a:b'] as $name) {
            yield json_encode($name, JSON_THROW_ON_ERROR) => [$name];
        }
    }

    #[DataProvider('badLabels')]
    public function testRefusesNamesOfLabels(string $name): void
    {
        $this->expectException(ValueError::class);

        new PrometheusText([$name => 'x']);
    }

    public function testNamesAreMadeToFitAndStandThereOnce(): void
    {
        $counters = new MemoryCounters();
        $counters->add('a-b', 1);
        $counters->add('a b', 2);
        $counters->add('4xx', 3);
        $counters->add("evil\n# x", 4);

        self::assertSame(
            "# TYPE _4xx counter\n_4xx 3\n# TYPE a_b counter\na_b 3\n# TYPE evil___x counter\nevil___x 4\n",
            (new PrometheusText())->of($counters),
        );
    }

    public function testExplainsWhatTheCacheCounts(): void
    {
        $counters = new MemoryCounters();
        $cache = new Cache(new ArrayStore(), counters: $counters);
        $cache->remember('k', static fn(): int => 1, 60.0);
        $cache->remember('k', static fn(): int => 1, 60.0);
        $cache->flush();
        $text = (new PrometheusText())->of($counters);

        self::assertNotSame('', $text);
        self::assertSame(
            substr_count($text, '# TYPE larder_cache_'),
            substr_count($text, '# HELP larder_cache_'),
            $text,
        );
        self::assertStringContainsString("\nlarder_cache_requests_total{store=\"array\",result=\"hit\"} 1\n", $text);
    }

    public function testTheDashboardAsksForNamesAndLabelsThatThereAre(): void
    {
        $file = (string) file_get_contents(__DIR__ . '/../../../../docs/grafana/larder.json');
        $dashboard = json_decode($file, true, flags: JSON_THROW_ON_ERROR);
        self::assertIsArray($dashboard);
        self::assertIsArray($dashboard['panels']);
        $families = PrometheusText::families();
        preg_match_all('/"expr": "(.*)",$/m', $file, $expressions);
        self::assertGreaterThanOrEqual(\count($dashboard['panels']), \count($expressions[1]));
        foreach ($expressions[1] as $expression) {
            preg_match_all('/larder_[a-z_]+/', $expression, $names);
            self::assertNotSame([], $names[0]);
            $labels = ['le' => [], 'host' => []];
            foreach ($names[0] as $name) {
                $name = (string) preg_replace('/_(?:bucket|count|sum)$/', '', $name);
                self::assertArrayHasKey($name, $families);
                $labels += $families[$name][2];
            }
            preg_match_all('/ by \(([a-z, ]+)\)/', $expression, $groups);
            preg_match_all('/([a-z]+)=~?\\\\"([a-z_|]+)\\\\"/', $expression, $matches, PREG_SET_ORDER);
            foreach (explode(', ', implode(', ', $groups[1])) as $label) {
                self::assertTrue($label === '' || isset($labels[$label]), $expression);
            }
            foreach ($matches as [, $label, $values]) {
                foreach (explode('|', $values) as $value) {
                    self::assertArrayHasKey($value, $labels[$label] ?? [], $expression);
                }
            }
        }
    }
}
