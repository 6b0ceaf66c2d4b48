<?php

declare(strict_types=1);

namespace Larder\Tests\Cache\Analysis;

use Larder\Cache\Analysis\Sighting;
use Larder\Cache\Event;
use Larder\Console\Analysis\Advice;
use Larder\Console\Analysis\Pattern;
use Larder\Console\Analysis\Sample;
use Larder\Console\Analysis\Survey;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

#[CoversClass(Survey::class)]
#[CoversClass(Pattern::class)]
#[CoversClass(Sample::class)]
#[CoversClass(Advice::class)]
#[CoversClass(Sighting::class)]
final class SurveyTest extends TestCase
{
    #[TestWith(['news:4', 'news:*'])]
    #[TestWith(['user 12 page 3', 'user * page *'])]
    #[TestWith(['v2.items?category=net&page=10', 'v*.items?category=net&page=*'])]
    #[TestWith(['file d41d8cd98f00b204e9800998ecf8427e.css', 'file *.css'])]
    #[TestWith(['user 123e4567-e89b-12d3-a456-426614174000', 'user *'])]
    #[TestWith(['facade decade', 'facade decade'])]
    #[TestWith(["\xff 1", "\xff *"])]
    public function testNumbersAreFolded(string $key, string $pattern): void
    {
        self::assertSame($pattern, Survey::fold($key));
    }

    public function testOneRequestInTenMinutesAndAnHourIsTenMinutesOfGrace(): void
    {
        $survey = new Survey();
        for ($minute = 0; $minute <= 6000; $minute += 10) {
            $survey->add(
                $this->line($minute * 60, $minute % 60 === 0 ? Event::Refresh : Event::Hit, 0.3, 3600.0, 60.0),
            );
        }
        [$pattern] = $survey->patterns();
        $advice = new Advice($pattern, $survey->span());

        self::assertSame(600.0, $advice->grace);
        self::assertSame(5.0, $advice->lease);
        self::assertSame(
            ['only 0.1 requests fall into the grace of 60 s: most values are gone before anybody makes them anew'],
            $advice->warnings,
        );
        self::assertSame([
            'ttl 6 h, if the data may be that old, or is named in $reads: one compute then serves 36 requests',
            'grace 10 min: a key is asked for every 9.98 min, so somebody comes in time to make it anew',
            'lease 5 s: of 20 computes 19 take no more than 300 ms',
        ], $advice->reasons);
    }

    /** A rate that is measured is never exactly one in ten minutes. */
    #[TestWith([625, 600.0])]
    #[TestWith([640, 1200.0])]
    public function testALittleMoreThanTenMinutesAreTenMinutes(int $every, float $grace): void
    {
        $survey = new Survey();
        for ($i = 0; $i <= 1000; ++$i) {
            $survey->add($this->line($i * $every, Event::Hit, null, 3600.0, 60.0));
        }

        self::assertSame($grace, (new Advice($survey->patterns()[0], $survey->span()))->grace);
    }

    public function testAKeyThatIsWellKeptIsLeftAsItIs(): void
    {
        $survey = new Survey();
        for ($second = 0; $second <= 10_000; ++$second) {
            $survey->add($this->line($second, $second % 600 === 0 ? Event::Refresh : Event::Hit, 2.0, 600.0, 60.0));
        }
        $advice = new Advice($survey->patterns()[0], $survey->span());

        self::assertSame([600.0, 60.0, 20.0], [$advice->ttl, $advice->grace, $advice->lease]);
        self::assertSame([], $advice->warnings);
    }

    public function testAKeyThatIsGoneBeforeItIsAskedForAgainIsSaid(): void
    {
        $survey = new Survey();
        for ($second = 0; $second <= 10_000; $second += 500) {
            $survey->add($this->line($second, Event::Miss, 0.001, 100.0, 50.0));
        }
        $warnings = (new Advice($survey->patterns()[0], $survey->span()))->warnings;

        self::assertStringContainsString('nearly every request makes it', implode("\n", $warnings));
    }

    public function testALeaseThatIsTooShortForSlowComputesIsSaid(): void
    {
        $survey = new Survey();
        for ($i = 0; $i < 100; ++$i) {
            $survey->add($this->line($i, Event::Miss, $i % 10 === 0 ? 60.0 : 0.1, 600.0, 600.0));
        }
        $advice = new Advice($survey->patterns()[0], $survey->span());

        self::assertSame([5.0, 300.0], [$advice->presentLease, $advice->lease]);
        self::assertStringContainsString('two may make the same value', implode("\n", $advice->warnings));
    }

    public function testAValueWithoutEndHasNoGraceToChoose(): void
    {
        $survey = new Survey();
        for ($i = 0; $i < 100; ++$i) {
            $survey->add($this->line($i, Event::Hit, null, null, 0.0));
        }
        $advice = new Advice($survey->patterns()[0], $survey->span());

        self::assertSame(
            [null, null, null, [], []],
            [$advice->ttl, $advice->grace, $advice->lease, $advice->reasons, $advice->warnings],
        );
    }

    public function testASampleStandsForAll(): void
    {
        $survey = new Survey();
        for ($i = 0; $i < 100; ++$i) {
            $survey->add(
                rtrim(
                    (new Sighting(
                        1e9 + $i,
                        $i % 4 === 0 ? Event::Miss : Event::Hit,
                        10,
                        0.5,
                        60.0,
                        60.0,
                        'item:' . $i % 5,
                    ))->line(),
                ),
            );
        }
        $pattern = $survey->patterns()[0];

        self::assertSame(
            [1000.0, 0.75, 125.0, 20.0],
            [$pattern->requests(), $pattern->hitRatio(), $pattern->work(), $pattern->requestsPerKey()],
        );
    }

    public function testTheMedianKeyIsFoundAmongMany(): void
    {
        $survey = new Survey();
        for ($round = 0; $round < 3; ++$round) {
            for ($key = 0; $key < 3000; ++$key) {
                $survey->add($this->line($round, Event::Hit, null, 60.0, 60.0, "item:$key"));
            }
        }
        for ($i = 0; $i < 10_000; ++$i) {
            $survey->add($this->line(3, Event::Hit, null, 60.0, 60.0, 'item:1'));
        }

        self::assertSame(3.0, $survey->patterns()[0]->requestsPerKey());
    }

    public function testASampleOfManyNumbersKeepsTheirQuantiles(): void
    {
        $sample = new Sample();
        self::assertNull($sample->quantile(0.5));
        $sample->add(7.0);
        self::assertSame([7.0, 7.0], [$sample->quantile(0.5), $sample->quantile(0.95)]);
        for ($i = 1; $i <= 100_000; ++$i) {
            $sample->add((float) $i);
        }

        self::assertEqualsWithDelta(50_000.0, $sample->quantile(0.5), 10_000.0);
        self::assertEqualsWithDelta(95_000.0, $sample->quantile(0.95), 4_000.0);
    }

    public function testManyPatternsTakeBoundedMemory(): void
    {
        $survey = new Survey();
        for ($i = 0; $i < 2000; ++$i) {
            $survey->add(
                $this->line($i, Event::Hit, null, 60.0, 60.0, 'k' . strtr((string) $i, '0123456789', 'ghijklmnop')),
            );
        }
        $patterns = $survey->patterns();

        self::assertCount(501, $patterns);
        self::assertSame(['(others)', 1500.0], [$patterns[0]->name, $patterns[0]->requests()]);
    }

    public function testManyKeysTakeBoundedMemory(): void
    {
        $survey = new Survey();
        $before = memory_get_usage();
        for ($i = 0; $i < 50_000; ++$i) {
            $survey->add($this->line($i, Event::Miss, 0.5, (float) ($i % 5000), 60.0, "item:$i"));
        }

        self::assertLessThan(500_000, memory_get_usage() - $before);
        self::assertSame(50_000.0, $survey->patterns()[0]->requests());
    }

    public function testTheRestOfALongLineIsNoLine(): void
    {
        $good = $this->line(0, Event::Hit, 0.5, 60.0, 60.0) . "\n";
        $survey = Survey::of($this->file(str_repeat('x', Sighting::LONGEST + 1) . $good . $good));

        self::assertSame([2, 1], [$survey->lines(), $survey->skipped()]);
    }

    public function testWhatIsNoLineIsSkipped(): void
    {
        $good = $this->line(0, Event::Hit, 0.5, 60.0, 60.0);
        foreach ([
            '',
            ' ',
            'x',
            substr($good, 0, 20),
            $good . ' more',
            str_replace('hit', 'none', $good),
            str_replace(' 60 ', ' -60 ', $good),
            str_replace('0.5', 'NAN', $good),
            str_replace('0.5', '1e9', $good),
            $good . "\0",
            str_repeat('9', 500),
            $good . str_repeat('k', 2000),
        ] as $line) {
            self::assertNull(Sighting::parse($line), $line);
        }
        self::assertNotNull(Sighting::parse($good));
    }

    public function testAFileOfAnythingIsRead(): void
    {
        $good = $this->line(0, Event::Hit, 0.5, 60.0, 60.0) . "\n";
        $text = $good . str_repeat("x\0", 50_000) . "\n" . $good . random_bytes(1000) . "\n" . $good
            . substr($good, 0, 30);
        $survey = Survey::of($this->file($text));

        self::assertSame(3.0, $survey->patterns()[0]->requests());
        self::assertSame($survey->lines() - 3, $survey->skipped());
    }

    /**
     * Good lines with bytes changed, dropped and repeated at random: none may end the reading, and every figure stays
     * one.
     */
    public function testDamagedLinesDoNoHarm(): void
    {
        $seed = random_int(1, 1 << 30);
        mt_srand($seed);
        $survey = new Survey();
        for ($round = 0; $round < 20_000; ++$round) {
            $line = $this->line(
                mt_rand(0, 10_000),
                Event::cases()[mt_rand(0, 4)],
                mt_rand(0, 9) / 10,
                mt_rand(0, 1) === 0 ? null : 60.0,
                30.0,
                'item:' . mt_rand(0, 100),
            );
            for ($change = mt_rand(0, 3); $change > 0 && $line !== ''; --$change) {
                $place = mt_rand(0, \strlen($line) - 1);
                $line = match (mt_rand(0, 3)) {
                    0 => substr_replace($line, \chr(mt_rand(0, 255)), $place, 1),
                    1 => substr_replace($line, '', $place, mt_rand(1, 5)),
                    2 => substr_replace($line, substr($line, 0, mt_rand(1, 40)), $place, 0),
                    default => substr_replace($line, str_repeat((string) mt_rand(0, 9), mt_rand(1, 20)), $place, 0),
                };
            }
            $survey->add($line);
        }
        mt_srand();
        foreach ($survey->patterns() as $pattern) {
            $advice = new Advice($pattern, $survey->span());
            foreach ([
                $pattern->requests(),
                $pattern->hitRatio(),
                $pattern->work(),
                $pattern->requestsPerKey(),
                $advice->ttl ?? 0.0,
                $advice->grace ?? 0.0,
                $advice->lease ?? 0.0,
                $advice->presentLease,
            ] as $figure) {
                self::assertTrue(is_finite($figure) && $figure >= 0.0, "seed $seed");
            }
            self::assertLessThanOrEqual(1.0, $pattern->hitRatio(), "seed $seed");
        }
        self::assertSame(20_000, $survey->lines());
    }

    public function testAnEmptyFileSaysNothing(): void
    {
        $survey = Survey::of($this->file(''));

        self::assertSame([[], 0.0, 0], [$survey->patterns(), $survey->span(), $survey->lines()]);
    }

    private function line(
        float $at,
        Event $event,
        ?float $cost,
        ?float $ttl,
        float $grace,
        string $key = 'report',
    ): string {
        return rtrim((new Sighting(1_795_000_000.0 + $at, $event, 1, $cost, $ttl, $grace, $key))->line(), "\n");
    }

    /** @return resource */
    private function file(string $text)
    {
        $file = fopen('php://memory', 'w+');
        self::assertNotFalse($file);
        fwrite($file, $text);
        rewind($file);

        return $file;
    }
}
