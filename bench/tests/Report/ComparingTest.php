<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Report;

use Larder\Bench\Report\CompareReport;
use Larder\Bench\Report\Comparing;
use Larder\Bench\Report\Contest;
use Larder\Bench\Result\Cell;
use Larder\Bench\Result\CellState;
use Larder\Bench\Result\Comparison;
use Larder\Bench\Result\Document;
use Larder\Bench\Result\Verdict;
use Larder\Bench\Statistics\Histogram;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** @phpstan-import-type ComparedCell from Comparing */
#[CoversClass(Comparing::class)]
#[CoversClass(CompareReport::class)]
#[CoversClass(Contest::class)]
final class ComparingTest extends TestCase
{
    private const RATES = [100.0, 101.0, 99.0, 102.0, 98.0, 100.5, 99.5, 101.5, 98.5, 100.0];

    public function testARunIsNoDifferentFromItself(): void
    {
        $document = Fixture::interrupted();
        $comparing = new Comparing($document, $document);

        self::assertSame([], $comparing->differences());
        self::assertSame([], $comparing->unpaired());
        foreach ($comparing->cells() as $cell) {
            self::assertFalse($cell['regressed']);
            self::assertSame(
                $cell['change'] === null ? Verdict::Equal : null,
                $cell['comparison']?->verdict,
                $cell['chart'] . ' ' . $cell['subject'],
            );
        }
    }

    public function testAPlantedSlowdownIsFoundAndNothingElse(): void
    {
        $report = new CompareReport(
            new Comparing(Fixture::interrupted(), Fixture::slowed(Fixture::interrupted(), 'phpredis', 0.1)),
        );

        self::assertSame(
            ['phpredis'],
            array_values(
                array_unique(
                    array_map(static fn(array $cell): string => $cell['subject'], $report->regressions()),
                ),
            ),
        );
        self::assertStringContainsString('REGRESSED: phpredis of keys?size=400&workers=2: 0.', $report->text());
        self::assertTrue($report->toArray()['regressed']);
    }

    public function testALossWithinWhatIsAllowedIsNoRegression(): void
    {
        $cells = self::compared([0.9], 0.2);

        self::assertSame(Verdict::Slower, $cells[0]['comparison']?->verdict);
        self::assertFalse($cells[0]['regressed']);
        self::assertTrue(self::compared([0.9], 0.05)[0]['regressed']);
        self::assertFalse(self::compared([1.1], 0.05)[0]['regressed']);
    }

    public function testOfCpuMoreIsWorse(): void
    {
        $before = Fixture::of([Fixture::chart('keys', [Fixture::cell('memcached', self::RATES, cpu: 40.0)])]);
        $after = Fixture::of([Fixture::chart('keys', [Fixture::cell('memcached', self::RATES, cpu: 50.0)])]);

        self::assertFalse((new Comparing($before, $after))->cells()[0]['regressed']);
        self::assertTrue((new Comparing($before, $after, 0.05, Comparison::CPU))->cells()[0]['regressed']);
        self::assertFalse((new Comparing($after, $before, 0.05, Comparison::CPU))->cells()[0]['regressed']);
    }

    public function testACellThatFailsOrIsWrongWhereItWasNotIsARegression(): void
    {
        $good = Fixture::of([Fixture::chart('keys', [Fixture::cell('memcached', self::RATES)])]);
        $wrong = Fixture::of([
            Fixture::chart('keys', [new Cell('memcached', CellState::Wrong, 'another value', [], [], new Histogram())]),
        ]);
        $report = new CompareReport(new Comparing($good, $wrong));

        self::assertCount(1, $report->regressions());
        self::assertStringContainsString('measured, now wrong (another value)', $report->text());
        self::assertFalse((new Comparing($wrong, $good))->cells()[0]['regressed']);
        self::assertFalse((new Comparing($wrong, $wrong))->cells()[0]['regressed']);
    }

    public function testAReferenceThatMovedByItselfGivesNoVerdict(): void
    {
        $cells = static fn(float $floor, float $machine): Document => Fixture::of([Fixture::chart('keys', [
            Fixture::cell(
                'noop',
                array_map(static fn(float $rate): float => 4e4 * $rate * $floor * $machine, self::RATES),
            ),
            Fixture::cell('memcached', array_map(static fn(float $rate): float => 4e3 * $rate * $machine, self::RATES)),
            Fixture::cell(
                'predis',
                array_map(static fn(float $rate): float => 1e3 * $rate * $machine, array_reverse(self::RATES)),
            ),
        ])]);
        $moved = new CompareReport(new Comparing($cells(1.0, 1.0), $cells(1.2, 1.0)));

        self::assertSame([], $moved->regressions());
        self::assertStringContainsString('no verdict: the reference noop moved', $moved->text());
        // A machine that is slower for all of them moves no ratio.
        $slower = new CompareReport(new Comparing($cells(1.0, 1.0), $cells(1.0, 0.7)));
        self::assertSame([], $slower->regressions());
        self::assertStringNotContainsString('moved', $slower->text());
    }

    public function testTheReferenceMayBeNamedAndIsElseTheFloorOrTheOthers(): void
    {
        $run = static fn(float $predis): Document => Fixture::of([Fixture::chart('keys', [
            Fixture::cell('memcached', array_map(static fn(float $rate): float => 4e3 * $rate, self::RATES)),
            Fixture::cell('phpredis', array_map(static fn(float $rate): float => 4e3 * $rate, self::RATES)),
            Fixture::cell(
                'predis',
                array_map(static fn(float $rate): float => 1e3 * $rate * $predis, array_reverse(self::RATES)),
            ),
        ])]);
        $found = static fn(Comparing $comparing): array => array_map(
            static fn(array $cell): string => $cell['subject'],
            (new CompareReport($comparing))->regressions(),
        );

        self::assertSame(['predis'], $found(new Comparing($run(1.0), $run(0.85), reference: 'memcached')));
        self::assertSame(['predis'], $found(new Comparing($run(1.0), $run(0.85), 0.08)));
        self::assertStringContainsString('no other subject', (new CompareReport(new Comparing(
            Fixture::of([Fixture::chart('keys', [Fixture::cell('memcached', self::RATES)])]),
            Fixture::of([Fixture::chart('keys', [Fixture::cell('memcached', self::RATES)])]),
        )))->text());
    }

    public function testOneCellInManyThatDiffersByChanceIsNoRegression(): void
    {
        $random = new \Random\Randomizer(new \Random\Engine\Mt19937(11));
        $rates = static fn(): array => array_map(
            static fn(): float => 1e5 * (1.0 + $random->getInt(-200, 200) / 1000),
            range(1, 10),
        );
        $run = static fn(): Document => Fixture::of([
            Fixture::chart(
                'keys',
                array_map(static fn(int $number): Cell => Fixture::cell('subject' . $number, $rates()), range(1, 20)),
            ),
        ]);
        $false = 0;
        for ($pair = 0; $pair < 20; ++$pair) {
            $false += (new CompareReport(new Comparing($run(), $run())))->regressions() === [] ? 0 : 1;
        }

        self::assertLessThanOrEqual(2, $false);
    }

    public function testTooFewWindowsAreNoRegressionAndSaySo(): void
    {
        $before = Fixture::of([
            Fixture::chart('keys', [Fixture::cell('memcached', [100.0]), Fixture::cell('predis', [100.0])]),
        ]);
        $after = Fixture::of([
            Fixture::chart('keys', [Fixture::cell('memcached', [10.0]), Fixture::cell('predis', [100.0])]),
        ]);
        $cell = (new Comparing($before, $after))->cells()[0];

        self::assertSame(Verdict::CannotTell, $cell['comparison']?->verdict);
        self::assertFalse($cell['regressed']);
    }

    public function testWhatMakesFiguresOfTwoMachinesIncomparableIsNamed(): void
    {
        $one = Fixture::document();
        $environment = FixtureParts::environment('8.3.0');
        $environment['servers'] = ['memcached' => ['version' => '1.6.40', 'command' => 'another command line']];
        $other = new Document(
            $one->command,
            $one->profile,
            $one->started,
            $one->seconds,
            true,
            $environment,
            [],
            $one->subjects,
            $one->charts,
        );

        self::assertSame(
            [
                'php.version: 8.2.29, then 8.3.0',
                'servers.memcached: 1.6.18, then 1.6.40',
                'servers.redis: 7.0.15, then not there',
            ],
            (new Comparing($one, $other))->differences(),
        );
    }

    public function testCellsOfOneRunOnlyAreNamed(): void
    {
        $one = Fixture::of([
            Fixture::chart('keys', [Fixture::cell('memcached', self::RATES), Fixture::cell('predis', self::RATES)]),
        ]);
        $other = Fixture::of([
            Fixture::chart('keys', [Fixture::cell('memcached', self::RATES)]),
            Fixture::chart('append', [Fixture::cell('memcached', self::RATES)]),
        ]);

        self::assertSame(
            ['only before: predis of keys', 'only after: memcached of append'],
            (new Comparing($one, $other))->unpaired(),
        );
        self::assertTrue((new CompareReport(new Comparing(Fixture::of([]), $other)))->isEmpty());
    }

    public function testARatioIsToldChartByChart(): void
    {
        $document = Fixture::of([
            Fixture::chart(
                'keys',
                [
                    Fixture::cell('memcached', self::RATES),
                    Fixture::cell('predis', array_map(static fn(float $rate): float => $rate / 2, self::RATES)),
                ],
                ['workers' => 2],
            ),
            Fixture::chart('append', [Fixture::cell('memcached', self::RATES), Fixture::cell('predis', self::RATES)]),
        ]);
        $report = new Contest($document, 'predis', 'memcached', 'keys');
        $array = $report->toArray();

        self::assertCount(1, $array['charts']);
        self::assertStringContainsString('"verdict":"slower"', json_encode($array, JSON_THROW_ON_ERROR));
        self::assertStringContainsString('keys?workers=2', $report->text());
        self::assertTrue((new Contest($document, 'predis', 'apcu'))->isEmpty());
        self::assertStringContainsString('No chart has both.', (new Contest($document, 'predis', 'apcu'))->text());
    }

    /**
     * @param non-empty-list<float> $factors
     *
     * @return list<ComparedCell>
     */
    private static function compared(array $factors, float $maxRegress): array
    {
        $rates = array_map(static fn(float $rate): float => 4000 * $rate, self::RATES);
        $floor = Fixture::cell('noop', $rates);
        $before = Fixture::of([Fixture::chart('keys', [Fixture::cell('memcached', $rates), $floor])]);
        $after = Fixture::of([
            Fixture::chart(
                'keys',
                [
                    Fixture::cell('memcached', array_map(static fn(float $rate): float => $rate * $factors[0], $rates)),
                    $floor,
                ],
            ),
        ]);

        return (new Comparing($before, $after, $maxRegress))->cells();
    }
}
