<?php

declare(strict_types=1);

namespace Larder\Tests\Metrics;

use Larder\Metrics\FileCounters;
use Larder\Metrics\History;
use Larder\Metrics\SharedFile;
use Larder\Testbed\Process\Fork;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Discovery\SteppedClock;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;

#[CoversClass(FileCounters::class)]
#[CoversClass(History::class)]
#[CoversClass(SharedFile::class)]
#[RequiresPhpExtension('pcntl')]
final class HistoryTest extends TestCase
{
    private TemporaryDirectory $directory;
    private SteppedClock $clock;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        $this->clock = new SteppedClock();
        $this->clock->seconds = 6000.0;
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testCountersAreNotedOnceAMinuteWithWhatIsTold(): void
    {
        $hits = 40;
        $history = $this->history(static function () use (&$hits): array {
            return ['pages_total{result="hit"}' => $hits];
        });
        $counters = new FileCounters($this->directory->path . '/counters', $history);
        $counters->add('pages_total', labels: ['result' => 'hit']);
        $counters->add('pages_total', labels: ['result' => 'hit']);
        $this->clock->seconds += 59.0;
        $counters->add('pages_total', labels: ['result' => 'stored']);
        $this->clock->seconds += 1.0;
        $hits = 50;
        $counters->add('pages_total', labels: ['result' => 'stored']);

        self::assertEquals([
            ['at' => 6000, 'counts' => ['pages_total{result="hit"}' => 41]],
            ['at' => 6060, 'counts' => ['pages_total{result="hit"}' => 52, 'pages_total{result="stored"}' => 2]],
        ], $history->samples(10));
    }

    public function testRoutesAndStoresAreSummedAndResultsStayApart(): void
    {
        $history = $this->history();
        $counters = new FileCounters($this->directory->path . '/counters');
        $counters->observe('render_duration_seconds', 0.5, ['route' => 'A']);
        $counters->observe('render_duration_seconds', 0.002, ['route' => 'B']);
        $counters->add('reads_total', 2, ['store' => 'redis', 'result' => 'hit']);
        $counters->add('reads_total', 3, ['store' => 'memcached', 'result' => 'hit']);
        (new FileCounters($this->directory->path . '/counters', $history))->add('reads_total', 4, ['result' => 'miss']);

        self::assertEquals([
            'render_duration_seconds_count' => 2,
            'render_duration_seconds_sum' => 0.502,
            'reads_total{result="hit"}' => 5,
            'reads_total{result="miss"}' => 4,
        ], $history->samples(1)[0]['counts'] ?? null);
    }

    public function testTheFileIsBoundedAndKeepsTheNewerHalf(): void
    {
        $history = $this->history(most: 4000);
        for ($minute = 0; $minute < 500; ++$minute) {
            $this->clock->seconds += 60.0;
            $history->note(['a_total' => $minute]);
            self::assertLessThanOrEqual(4000, filesize($this->directory->path . '/history'));
        }
        $samples = $history->samples(1000);

        self::assertGreaterThan(30, \count($samples));
        self::assertSame(range(500 - \count($samples), 499), array_column(array_column($samples, 'counts'), 'a_total'));
    }

    public function testManySamplesAreThinnedAndTheNewestIsThere(): void
    {
        $history = $this->history();
        for ($minute = 1; $minute <= 10; ++$minute) {
            $this->clock->seconds += 60.0;
            $history->note(['a_total' => $minute]);
        }

        self::assertSame(
            [1, 4, 7, 10],
            array_column(array_column($history->samples(4), 'counts'), 'a_total'),
        );
    }

    public function testADamagedLineIsLeftOut(): void
    {
        $history = $this->history();
        $history->note(['a_total' => 1]);
        file_put_contents($this->directory->path . '/history', "{\"at\": 5\n[]\n\"x\"\n", FILE_APPEND);

        self::assertCount(1, $history->samples(10));
    }

    public function testProcessesThatAppendAtOnceLoseNoLineAndTearNone(): void
    {
        $path = $this->directory->path . '/lines';
        $children = [];
        for ($child = 0; $child < 4; ++$child) {
            $children[] = Fork::start(static function () use ($path, $child): void {
                $file = new SharedFile($path);
                for ($line = 0; $line < 100; ++$line) {
                    // A lock that was not free in time loses the line, which is said.
                    while (!$file->append("$child $line " . str_repeat('x', 50), 1 << 20)) {
                        usleep(100);
                    }
                }
            });
        }
        foreach ($children as $pid) {
            pcntl_waitpid($pid, $status);
        }
        $lines = explode("\n", trim((new SharedFile($path))->read()));

        self::assertCount(400, array_unique($lines));
        self::assertCount(400, (array) preg_grep('~^\d \d+ x{50}$~D', $lines));
    }

    public function testAFileThatCannotBeMadeIsNoError(): void
    {
        $file = new SharedFile($this->directory->path . '/none/file');

        self::assertFalse($file->append('x', 100));
        self::assertFalse($file->change(static fn(): string => 'x'));
        self::assertSame('', $file->read());
        self::assertNull($file->changed());
    }

    private function history(?\Closure $more = null, int $most = 1 << 20): History
    {
        return new History($this->directory->path . '/history', $more, $this->clock, $most);
    }
}
