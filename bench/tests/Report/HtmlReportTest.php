<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Report;

use DOMDocument;
use DOMElement;
use DOMXPath;
use Larder\Bench\Report\Html\Bars;
use Larder\Bench\Report\Html\Curves;
use Larder\Bench\Report\Html\FigureTables;
use Larder\Bench\Report\Html\GuideSection;
use Larder\Bench\Report\Html\Markup;
use Larder\Bench\Report\Html\Plots;
use Larder\Bench\Report\Html\RunSections;
use Larder\Bench\Report\HtmlReport;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(Markup::class)]
#[CoversClass(RunSections::class)]
#[CoversClass(Bars::class)]
#[CoversClass(Curves::class)]
#[CoversClass(FigureTables::class)]
#[CoversClass(GuideSection::class)]
#[CoversClass(HtmlReport::class)]
#[CoversClass(Plots::class)]
final class HtmlReportTest extends TestCase
{
    private string $html;
    private DOMXPath $page;

    protected function setUp(): void
    {
        $this->html = (new HtmlReport())->render(Fixture::document());
        $this->page = self::parsed($this->html);
    }

    public function testNothingOfItComesFromElsewhere(): void
    {
        self::assertSame(
            [],
            $this->texts('//@src | //link[not(starts-with(@href, "data:"))]/@href | //iframe | //object | //form'),
        );
        self::assertSame(
            [],
            array_filter($this->texts('//a/@href'), static fn(string $link): bool => !str_starts_with($link, '#')),
        );
        self::assertDoesNotMatchRegularExpression('/@import|url\((?!data:)/', implode('', $this->texts('//style')));
    }

    public function testOnlyItsOwnScriptsMayRun(): void
    {
        $policy = $this->texts('//meta[@http-equiv="Content-Security-Policy"]/@content')[0] ?? '';
        $scripts = $this->texts('//script[not(@type)]');

        self::assertCount(3, $scripts);
        foreach ($scripts as $script) {
            self::assertStringContainsString("'sha256-" . base64_encode(hash('sha256', $script, true)) . "'", $policy);
        }
        self::assertSame([], $this->texts('//@*[starts-with(name(), "on")]'));
        self::assertStringContainsString('Permission is hereby granted', $scripts[1], 'the licence of uPlot');
    }

    public function testTextFromOutsideStaysText(): void
    {
        $written = str_replace("\u{1b}", "\u{fffd}", Fixture::HOSTILE);

        self::assertContains($written, $this->texts('//tr[@class="fault"]/td/span'));
        self::assertSame([], $this->texts('//td//b[@onmouseover]'));
        self::assertContains(
            'A connection per call: most of it is the connection. <i>Not</i> a comparison of stores.',
            $this->texts('//section[@id="published"]/p'),
        );
    }

    public function testTheDataCannotEndItsElement(): void
    {
        $data = $this->texts('//script[@type="application/json"]')[0] ?? '';
        $decoded = json_decode($data, true, flags: JSON_THROW_ON_ERROR);

        self::assertIsArray($decoded);
        self::assertIsArray($decoded['plots'] ?? null);
        self::assertCount(\count($this->texts('//div[@class="plot"]')), $decoded['plots']);
        self::assertNotSame([], $decoded['plots']);
        self::assertSame('{"name":"\u003C/script\u003E\u003C!--"}', Markup::json(['name' => '</script><!--']));
    }

    public function testEveryCellHasItsRow(): void
    {
        foreach (Fixture::document()->charts as $place => $chart) {
            $article = \sprintf('(//article)[%d]', $place + 1);
            $names = $this->texts($article . '//table[contains(@class, "bars")]/tbody/tr/th/text()[normalize-space()]');
            $absent = $this->texts($article . '//p[@class="absent"]/b');
            $expected = array_map(static fn(\Larder\Bench\Result\Cell $cell): string => $cell->subject, $chart->cells);
            $found = [...array_map(trim(...), $names), ...$absent];
            sort($expected);
            sort($found);

            self::assertSame($expected, $found, $chart->id);
        }
    }

    public function testWhatFailedOrWasWrongIsToldInItsPlaceAndAtTheTop(): void
    {
        self::assertSame(
            ['FAILED', 'WRONG', 'FAILED'],
            $this->texts('//tr[@class="fault"]/td[contains(@class, "bad")]/b'),
        );
        self::assertSame(['FAILED', 'WRONG', 'FAILED'], $this->texts('//section[@id="faults"]//li/b'));
        self::assertSame([], $this->texts('//tr[@class="fault"]//div'), 'no bar');
        self::assertContains('0.5 % errors', $this->texts('//td[@class="v bad"]/small'));
    }

    public function testEveryLinkLeadsSomewhere(): void
    {
        $ids = $this->texts('//@id');

        self::assertSame($ids, array_values(array_unique($ids)));
        foreach (array_unique($this->texts('//a/@href')) as $link) {
            self::assertContains(substr($link, 1), $ids);
        }
    }

    public function testAnInterruptedRunAndOneThatCannotBeReliedOnSaySo(): void
    {
        self::assertSame([], $this->texts('//*[@role="alert"]'));
        self::assertStringContainsString(
            'INTERRUPTED',
            self::alerts((new HtmlReport())->render(Fixture::interrupted())),
        );

        $rates = [100.0, 101.0, 99.0, 102.0, 98.0, 100.0];
        $faster = array_map(static fn(float $rate): float => $rate * 1.1, $rates);
        $unreliable = Fixture::of([
            Fixture::chart('keys', [Fixture::cell('memcached', $rates), Fixture::cell('memcached#2', $faster)]),
        ]);
        self::assertStringContainsString('TOO NOISY TO SAY', self::alerts((new HtmlReport())->render($unreliable)));
    }

    public function testARunWithoutAnythingHasAPageToo(): void
    {
        $html = (new HtmlReport())->render(Fixture::of([]));

        self::assertStringContainsString('PHP cache benchmark, quick profile', $html);
        self::assertSame('', self::alerts($html));
    }

    public function testItIsNoLargerThanWhatItDraws(): void
    {
        self::assertLessThan(500_000, \strlen($this->html));
    }

    private static function alerts(string $html): string
    {
        return implode('', self::found(self::parsed($html), '//*[@role="alert"]'));
    }

    private static function parsed(string $html): DOMXPath
    {
        $document = new DOMDocument();
        $before = libxml_use_internal_errors(true);
        // It knows no newer elements, and reads the page all the same.
        self::assertTrue($document->loadHTML($html, LIBXML_COMPACT));
        $errors = array_filter(libxml_get_errors(), static fn(\LibXMLError $error): bool => $error->code !== 801);
        libxml_clear_errors();
        libxml_use_internal_errors($before);
        self::assertSame(
            [],
            array_values(array_map(static fn(\LibXMLError $error): string => $error->message, $errors)),
        );
        self::assertInstanceOf(DOMElement::class, $document->documentElement);

        return new DOMXPath($document);
    }

    /** @return list<string> */
    private function texts(string $path): array
    {
        return self::found($this->page, $path);
    }

    /** @return list<string> */
    private static function found(DOMXPath $page, string $path): array
    {
        $nodes = $page->query($path);
        self::assertNotFalse($nodes);
        $texts = [];
        foreach ($nodes as $node) {
            $texts[] = $node->nodeValue ?? '';
        }

        return $texts;
    }
}
