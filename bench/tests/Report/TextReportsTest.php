<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Report;

use Larder\Bench\Report\ConsoleReport;
use Larder\Bench\Report\MarkdownReport;
use Larder\Bench\Report\Summary;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(ConsoleReport::class)]
#[CoversClass(MarkdownReport::class)]
#[CoversClass(Summary::class)]
final class TextReportsTest extends TestCase
{
    public function testATerminalGetsLinesOfAtMostAHundredColumnsAndNoControlCharacter(): void
    {
        $text = (new ConsoleReport())->render(Fixture::document());

        foreach (explode("\n", $text) as $line) {
            self::assertLessThanOrEqual(100, mb_strlen($line), $line);
        }
        self::assertDoesNotMatchRegularExpression('/[\x00-\x09\x0b-\x1f\x7f]/', $text);
    }

    public function testATerminalIsToldWhatFailedAndWhatIsNotThere(): void
    {
        $text = (new ConsoleReport())->render(Fixture::document());

        self::assertMatchesRegularExpression('/^  memcache +WRONG: key:3 answered with the value of key:1$/m', $text);
        self::assertMatchesRegularExpression('/^  sqlite +FAILED: database is locked SQLSTATE\[HY000\]$/m', $text);
        self::assertMatchesRegularExpression('/^  handlersocket +n\/a: the plug-in is not installed$/m', $text);
        self::assertStringContainsString('! memcache: 0.5 % errors (first: connection refused)', $text);
        self::assertStringContainsString('A/A check: held.', $text);
        self::assertStringEndsWith("3 cells without a number: 2 failed, 1 wrong\n", $text);
    }

    public function testARunThatCannotBeReliedOnSaysSoFirst(): void
    {
        $rates = [100.0, 101.0, 99.0, 102.0, 98.0, 100.0];
        $document = Fixture::of(
            [
                Fixture::chart(
                    'keys',
                    [
                        Fixture::cell('memcached', $rates),
                        Fixture::cell('memcached#2', array_map(static fn(float $rate): float => $rate * 1.1, $rates)),
                    ],
                ),
            ],
            false,
        );
        $text = (new ConsoleReport())->render($document);

        self::assertFalse($document->isReliable());
        self::assertStringContainsString('A/A check: FAILED, this run is too noisy to say.', $text);
        self::assertStringContainsString('INTERRUPTED', $text);
    }

    public function testMarkdownHasARowACellAndNothingBreaksOutOfIt(): void
    {
        $document = Fixture::document();
        $text = (new MarkdownReport())->render($document);
        $cells = array_sum(
            array_map(static fn(\Larder\Bench\Result\Chart $chart): int => \count($chart->cells), $document->charts),
        );
        $tables = array_filter(
            explode("\n", $text),
            static fn(string $line): bool => str_starts_with($line, '| ') && !str_starts_with($line, '| ---'),
        );

        self::assertCount($cells + \count($document->charts), $tables);
        foreach ($tables as $line) {
            self::assertSame(10, preg_match_all('/(?<!\\\\)\|/', $line), $line);
        }
        self::assertStringNotContainsString('<b onmouseover', $text);
        self::assertStringContainsString("```sh\nlarder-bench run --profile=full", $text);
    }

    public function testMarkdownGoesBetweenItsMarkersAndLeavesTheRestOfAPage(): void
    {
        $report = (new MarkdownReport())->render(Fixture::interrupted());
        $page = MarkdownReport::into("# Results\n\nOur words.\n", $report);
        self::assertStringStartsWith("# Results\n\nOur words.\n\n<!-- larder-bench: begin", $page);

        $again = MarkdownReport::into($page . "\nMore words.\n", (new MarkdownReport())->render(Fixture::document()));
        self::assertStringStartsWith("# Results\n\nOur words.\n\n<!-- larder-bench: begin", $again);
        self::assertStringEndsWith("<!-- larder-bench: end -->\n\nMore words.\n", $again);
        self::assertSame(1, substr_count($again, '<!-- larder-bench: begin'));
    }

    public function testWordsAreBrokenAtTheWidthAndOneThatIsLongerIsCut(): void
    {
        self::assertSame("  one two\n", ConsoleReport::wrap("one\n\ttwo", '  '));
        self::assertSame(100, mb_strlen(rtrim(ConsoleReport::wrap(str_repeat('x', 300)))));
    }
}
