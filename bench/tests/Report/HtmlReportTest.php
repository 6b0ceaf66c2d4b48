<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Report;

use Larder\Bench\Report\HtmlReport;
use Larder\Bench\Report\PageContent;
use Larder\Bench\Result\CellState;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** What the page shows is tested in a browser, by bench/report/tests. */
#[CoversClass(HtmlReport::class)]
#[CoversClass(PageContent::class)]
final class HtmlReportTest extends TestCase
{
    public function testOnlyItsOwnScriptsMayRun(): void
    {
        $html = (new HtmlReport())->render(Fixture::document());
        preg_match('/Content-Security-Policy" content="([^"]*)"/', $html, $policy);
        preg_match_all('~<script>(.*?)</script>~s', $html, $scripts);

        self::assertCount(4, $scripts[1]);
        foreach ($scripts[1] as $script) {
            self::assertStringContainsString(
                "'sha256-" . base64_encode(hash('sha256', $script, true)) . "'",
                $policy[1] ?? '',
            );
        }
        self::assertStringContainsString('Permission is hereby granted', $scripts[1][2], 'the licence of uPlot');
        self::assertDoesNotMatchRegularExpression('/<[^>]* src=|@import|url\((?!data:)/', $html);
    }

    public function testNothingInTheDataCanEndItsElement(): void
    {
        $text = "</script><!--<script>\u{2028}\u{2029}&\xff";
        $html = (new HtmlReport())->render(Fixture::of([Fixture::chart($text, [])]));
        preg_match('~<script type="application/json" id="data">(.*)</script>~U', $html, $data);

        self::assertDoesNotMatchRegularExpression("/[<>&\u{2028}\u{2029}]/u", $data[1] ?? '<');
        $content = json_decode($data[1] ?? '', true, flags: JSON_THROW_ON_ERROR);
        self::assertIsArray($content);
        self::assertIsArray($content['charts'] ?? null);
        self::assertSame([str_replace("\xff", "\u{fffd}", $text)], array_column($content['charts'], 'title'));
    }

    public function testEveryCellIsInTheDataByItsState(): void
    {
        $document = Fixture::document();
        $charts = PageContent::of($document)['charts'];
        self::assertIsArray($charts);
        foreach ($document->charts as $place => $chart) {
            $expected = ['measured' => [], 'faulty' => [], 'absent' => []];
            foreach ($chart->cells as $cell) {
                $expected[match ($cell->state) {
                    CellState::Failed, CellState::Wrong => 'faulty',
                    default => $cell->state->value,
                }][] = $cell->subject;
            }
            self::assertIsArray($charts[$place]);
            foreach ($expected as $kind => $subjects) {
                self::assertIsArray($charts[$place][$kind]);
                self::assertEqualsCanonicalizing($subjects, array_column($charts[$place][$kind], 'subject'));
            }
        }
    }

    public function testItIsNoLargerThanWhatItDraws(): void
    {
        self::assertLessThan(500_000, \strlen((new HtmlReport())->render(Fixture::document())));
    }
}
