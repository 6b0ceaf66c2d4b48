<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Report;

use Larder\Bench\Report\Advice;
use Larder\Bench\Report\Contest;
use Larder\Bench\Report\Findings;
use Larder\Bench\Report\Ladder;
use Larder\Bench\Report\Ranking;
use Larder\Bench\Result\Cell;
use Larder\Bench\Result\CellState;
use Larder\Bench\Result\Document;
use Larder\Bench\Statistics\Histogram;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(Advice::class)]
#[CoversClass(Contest::class)]
#[CoversClass(Findings::class)]
#[CoversClass(Ranking::class)]
final class GuideTest extends TestCase
{
    private const RATES = [100.0, 101.0, 99.0, 102.0, 98.0, 100.5, 99.5, 101.5, 98.5, 100.0];

    public function testADifferenceIsToldWithItsIntervalAndItsCost(): void
    {
        $advice = self::answer(
            'phpredis or Predis?',
            Fixture::of([Fixture::chart('keys', [self::cell('phpredis', 3.0, 30.0), self::cell('predis', 1.0, 90.0)])]),
        );

        self::assertSame(
            'phpredis: 3.00 times the rate of predis in the one chart that has both (keys: 3.00–3.00). predis takes '
                . '3.00 (3.00–3.00) times the CPU of phpredis per operation there. Predis is plain PHP and needs no '
                . 'extension; this is what that costs.',
            $advice->answer,
        );
    }

    public function testADifferenceBelowTheThresholdIsNone(): void
    {
        $document = Fixture::of([Fixture::chart('keys', [self::cell('memcached', 1.02), self::cell('phpredis', 1.0)])]);

        self::assertSame(
            'Equal in the one chart that has both (1.02 times, within 5 %): take the one that is easier to run.',
            self::answer('memcached or Redis, by their C clients?', $document)->answer,
        );
    }

    public function testASmallDifferenceThatIsSureIsNamed(): void
    {
        $document = Fixture::of([Fixture::chart('keys', [self::cell('memcached', 1.04), self::cell('phpredis', 1.0)])]);

        self::assertStringStartsWith(
            'memcached: 1.04 times the rate of phpredis',
            self::answer('memcached or Redis, by their C clients?', $document)->answer,
        );
    }

    public function testAWideIntervalIsNotCalledEqual(): void
    {
        $noisy = Fixture::cell('phpredis', [4e5, 2e5, 6e5, 3e5, 5e5, 4.1e5, 2.5e5, 5.5e5, 3.9e5, 4.2e5]);
        $document = Fixture::of([Fixture::chart('keys', [self::cell('memcached', 1.0), $noisy])]);

        self::assertSame(
            [],
            array_filter(
                (new Findings())->advice($document),
                static fn(Advice $advice): bool => str_starts_with($advice->question, 'memcached or Redis'),
            ),
        );
        self::assertStringContainsString(
            '1 question is left out, since the intervals of this run are too wide for an answer.',
            implode(' ', (new Findings())->terms($document)),
        );
    }

    public function testSidesThatWinInDifferentChartsAreBothTold(): void
    {
        $document = Fixture::of([
            Fixture::chart('keys', [self::cell('file', 2.0), self::cell('memcached', 1.0)], ['size' => 32]),
            Fixture::chart('keys', [self::cell('file', 1.0), self::cell('memcached', 1.5)], ['size' => 4096]),
            Fixture::chart('keys', [self::cell('file', 1.0), self::cell('memcached', 1.01)], ['size' => 400]),
        ]);

        self::assertStringStartsWith(
            'Of 3 charts: file is ahead in 1, 2.00 times (keys, size 32: 2.00–2.00); memcached is ahead in 1, 1.50 '
                . 'times (keys, size 4096: 1.50–1.50); equal in 1.',
            self::answer('When is a file enough?', $document)->answer,
        );
    }

    public function testTooFewBlocksSayNothing(): void
    {
        $document = Fixture::of([
            Fixture::chart(
                'keys',
                [Fixture::cell('phpredis', [3.0, 3.0, 3.0]), Fixture::cell('predis', [1.0, 1.0, 1.0])],
            ),
        ]);

        self::assertSame([], (new Findings())->advice($document));
    }

    public function testTheLeaderTakesThoseWithHimWhomNothingWorthHavingPartsFromHim(): void
    {
        $leads = Ranking::leads(
            Fixture::of([
                Fixture::chart(
                    'keys',
                    [
                        self::cell('noop', 50.0),
                        self::cell('memcached', 1.3),
                        self::cell('phpredis', 1.28),
                        self::cell('predis', 0.5),
                    ],
                ),
            ]),
        );

        self::assertCount(1, $leads);
        self::assertSame(['memcached', 'phpredis'], $leads[0]['leaders']);
        self::assertSame('predis', $leads[0]['next']);
        self::assertNull($leads[0]['local']);
    }

    public function testStoresOfOneHostAreRankedByThemselves(): void
    {
        $leads = Ranking::leads(
            Fixture::of([
                Fixture::chart(
                    'keys',
                    [
                        self::cell('apcu', 60.0),
                        self::cell('file', 3.0),
                        self::cell('memcached', 1.3),
                        self::cell('predis', 0.5),
                    ],
                ),
            ]),
        );

        self::assertSame([['memcached'], ['apcu']], array_column($leads, 'leaders'));
    }

    public function testWhoHasErrorsDoesNotLead(): void
    {
        $broken = self::cell('memcached', 9.0);
        $broken = new Cell(
            'memcached',
            CellState::Measured,
            'refused',
            [],
            array_map(
                static fn($window) => new \Larder\Bench\Result\Window(
                    $window->block,
                    0,
                    1.0,
                    $window->operations,
                    3,
                    0,
                    1.0,
                    1.0,
                    [1],
                ),
                $broken->windows,
            ),
            new Histogram(),
        );
        $leads = Ranking::leads(
            Fixture::of([Fixture::chart('keys', [$broken, self::cell('phpredis', 1.2), self::cell('predis', 0.5)])]),
        );

        self::assertSame(['phpredis'], $leads[0]['leaders']);
    }

    public function testTheFixtureIsAnsweredInFull(): void
    {
        $questions = implode("\n", array_map(
            static fn(Advice $advice): string => $advice->question,
            (new Findings())->advice(Fixture::document()),
        ));

        foreach ([
            'phpredis or Predis?', 'Is it worth tuning', 'The binary protocol', 'APCu, where', 'When is a file',
            'Prepared statements?', 'servers behind', 'What does a stored page', 'What do batches', 'Which encoding',
            'Who keeps up', 'What breaks under',
        ] as $question) {
            self::assertStringContainsString($question, $questions);
        }
    }

    public function testNoAnswerIsASlogan(): void
    {
        foreach ((new Findings())->advice(Fixture::document()) as $advice) {
            self::assertMatchesRegularExpression('/\d/', $advice->answer, $advice->question);
            self::assertNotSame([], $advice->charts, $advice->question);
        }
    }

    public function testTheSmallestAndTheFastestEncodingAreTold(): void
    {
        $advice = self::answer('Which encoding for shape rows?', Fixture::document());

        self::assertStringStartsWith(
            'Smallest: igbinary+zlib, 3,120 bytes (10 % of php). Fastest: igbinary, ',
            $advice->answer,
        );
        self::assertStringEndsWith('times the rate of igbinary+zlib, with 12,682 bytes.', $advice->answer);
    }

    public function testWhoFellBehindAndWhoBroke(): void
    {
        self::assertSame(
            'Answered at least 95 % of what was offered: memcached, phpredis. Fell behind: predis (18 %).',
            self::answer(
                'Who keeps up in Overload: twice what the fastest can do, offered 60,000?',
                Fixture::document(),
            )->answer,
        );
        self::assertStringContainsString(
            'memcache at 8, predis at 8. The others held up to 8.',
            self::answer('What breaks under more workers (B1 keys: set, then get)?', Fixture::document())->answer,
        );
    }

    public function testASubjectThatWasWrongInOneChartRanksNowhere(): void
    {
        $wrong = new Cell('memcached', CellState::Wrong, 'the value of another key', [], [], new Histogram());
        $document = Fixture::of([
            Fixture::chart(
                'keys',
                [self::cell('memcached', 4.0), self::cell('phpredis', 2.0), self::cell('predis', 1.0)],
                ['workers' => 1],
            ),
            Fixture::chart('keys', [$wrong, self::cell('phpredis', 2.0), self::cell('predis', 1.0)], ['workers' => 2]),
        ]);
        $answers = (new Findings())->advice($document);

        self::assertSame(
            [],
            array_filter($answers, static fn(Advice $advice): bool => str_contains($advice->answer, 'memcached')),
        );
        self::assertContains(
            'memcached gave a wrong reply (keys, 2 workers) and ranks nowhere.',
            (new Findings())->terms($document),
        );
        self::assertSame(
            [['phpredis']],
            array_column(Ranking::leads($document), 'leaders'),
        );
        self::assertSame(
            [null],
            array_map(static fn(Ladder $ladder): ?float => $ladder->breakingPoint('memcached'), Ladder::in($document)),
        );
    }

    public function testAFloorRanksNowhereHoweverFastItIs(): void
    {
        $document = Fixture::of([
            Fixture::chart('keys', [self::cell('noop', 90.0), self::cell('phpredis', 2.0), self::cell('predis', 1.0)]),
        ]);

        self::assertSame(
            [['phpredis']],
            array_column(Ranking::leads($document), 'leaders'),
        );
    }

    public function testWhatIsLeftUnderOverload(): void
    {
        $cells = [];
        foreach ([
            'memcached' => ['goodput % of capacity' => 96.0, 'recovery s' => 0.41],
            'predis' => ['goodput % of capacity' => 41.0, 'breaking point, connections' => 100.0],
        ] as $subject => $extra) {
            $cells[] = new Cell(
                $subject,
                CellState::Measured,
                null,
                [],
                Fixture::cell($subject, [100.0])->windows,
                new Histogram(),
                $extra,
            );
        }
        $document = Fixture::of([Fixture::chart('overload', $cells)]);

        self::assertSame(
            'memcached still answers 96 % of its capacity, and is itself again after 0.410 s; predis still answers 41 '
                . '% of its capacity (less than 80 %), and did not recover in the time given.',
            self::answer('What is left under overload (overload)?', $document)->answer,
        );
        self::assertStringContainsString(
            '0.1 % errors: predis at 100. The others held to the last step.',
            self::answer('What breaks under more connections (overload)?', $document)->answer,
        );
    }

    private static function cell(string $subject, float $factor, float $cpu = 40.0): Cell
    {
        return Fixture::cell(
            $subject,
            array_map(static fn(float $rate): float => 4000 * $rate * $factor, self::RATES),
            cpu: $cpu,
        );
    }

    private static function answer(string $question, Document $document): Advice
    {
        foreach ((new Findings())->advice($document) as $advice) {
            if ($advice->question === $question) {
                return $advice;
            }
        }
        self::fail('No answer to: ' . $question);
    }
}
