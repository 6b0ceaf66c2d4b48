<?php

declare(strict_types=1);

namespace Larder\Tests\Metrics;

use Larder\Cache;
use Larder\Metrics\MemoryCounters;
use Larder\Metrics\NullCounters;
use Larder\Metrics\PrometheusText;
use Larder\Store\ArrayStore;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use ValueError;

#[CoversClass(PrometheusText::class)]
final class PrometheusTextTest extends TestCase
{
    public function testWritesEachCounter(): void
    {
        $counters = new MemoryCounters();
        $counters->add('news_total', 3);
        $counters->add('larder_cache_hits_total', 12);

        self::assertSame(
            <<<'TEXT'
                # HELP larder_cache_hits_total Values that were fresh.
                # TYPE larder_cache_hits_total counter
                larder_cache_hits_total 12
                # TYPE news_total counter
                news_total 3

                TEXT,
            (new PrometheusText())->of($counters),
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
        self::assertStringContainsString("\nlarder_cache_computes_total 1\n", $text);
    }
}
