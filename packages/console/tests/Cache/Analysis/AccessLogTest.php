<?php

declare(strict_types=1);

namespace Larder\Tests\Cache\Analysis;

use Larder\Cache;
use Larder\Cache\Analysis\AccessLog;
use Larder\Cache\Analysis\Sighting;
use Larder\Cache\Event;
use Larder\Console\Analysis\Survey;
use Larder\Store\ArrayStore;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(AccessLog::class)]
#[CoversClass(Sighting::class)]
final class AccessLogTest extends TestCase
{
    private TemporaryDirectory $directory;

    private string $file;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        $this->file = $this->directory->path . '/access.log';
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testACacheTellsItsRequests(): void
    {
        $cache = new Cache(new ArrayStore(), observer: new AccessLog($this->file));
        foreach ([1, 2] as $_) {
            $cache->remember("news list\n%", static fn(): string => 'value', 60.0, 30.0);
        }

        self::assertMatchesRegularExpression(
            '~^\d+\.\d{6} miss 1 0(\.\d+)? 60 30 news%20list%0A%25\n\d+\.\d{6} hit 1 0(\.\d+)? 60 30 '
                . 'news%20list%0A%25\n$~D',
            $this->written(),
        );
    }

    public function testALineIsReadAsItWasMeant(): void
    {
        $all = [];
        for ($byte = 0; $byte < 256; ++$byte) {
            $all[] = \chr($byte);
        }
        foreach ([
            ['news:4', 0.25, 600.0, 300.0],
            [implode('', \array_slice($all, 0, 250)), null, null, 0.0],
            [implode('', \array_slice($all, 100)), 1e-6, 1e12, 0.5],
            ['', 1.0, -1.0, 0.0],
        ] as [$key, $cost, $ttl, $grace]) {
            $line = (new Sighting(1795288289.781, Event::Refresh, 10, $cost, $ttl, $grace, $key))->line();
            $sighting = Sighting::parse(rtrim($line, "\n"));
            if ($key === '') {
                self::assertNull($sighting);
                continue;
            }
            self::assertInstanceOf(Sighting::class, $sighting);
            self::assertSame(
                [1795288289.781, Event::Refresh, 10, $cost, $ttl === 1e12 ? null : $ttl, $grace, $key],
                [
                    $sighting->time,
                    $sighting->event,
                    $sighting->oneIn,
                    $sighting->cost,
                    $sighting->ttl,
                    $sighting->grace,
                    $sighting->key,
                ],
            );
        }
    }

    public function testALineIsShortAndOne(): void
    {
        $line = (new Sighting(1795288289.781, Event::Hit, 1, INF, NAN, INF, str_repeat("\n", 10_000)))->line();

        self::assertLessThanOrEqual(Sighting::LONGEST, \strlen($line));
        self::assertSame(1, substr_count($line, "\n"));
        self::assertNotNull(Sighting::parse(rtrim($line, "\n")));
    }

    public function testOfAChosenKeyEveryRequestIsWritten(): void
    {
        $log = new AccessLog($this->file, 10);
        for ($i = 0; $i < 3000; ++$i) {
            $log->saw('item:' . $i % 1000, Event::Hit, 1795288289.0 + $i, null, null, 0.0);
        }
        preg_match_all('~ (item:\d+)$~m', $this->written(), $keys);
        $counts = array_count_values($keys[1]);

        self::assertSame([3], array_values(array_unique($counts)));
        self::assertGreaterThan(50, \count($counts));
        self::assertLessThan(200, \count($counts));
    }

    public function testTheFileIsBounded(): void
    {
        for ($process = 0; $process < 3; ++$process) {
            $log = new AccessLog($this->file, 1, 1000);
            for ($i = 0; $i < 1000; ++$i) {
                $log->saw('item', Event::Hit, 1795288289.0, null, null, 0.0);
            }
        }

        self::assertLessThan(1000 + 3 * 64 * 60, \strlen($this->written()));
    }

    public function testAFileThatCannotBeWrittenIsLeftAlone(): void
    {
        foreach ([$this->directory->path, $this->directory->path . '/none/access.log', '/dev/full'] as $path) {
            $log = new AccessLog($path);
            $log->saw('item', Event::Hit, 1795288289.0, null, null, 0.0);
            $log->saw('item', Event::Hit, 1795288289.0, null, null, 0.0);
        }

        self::assertFileDoesNotExist($this->file);
    }

    public function testTwoWritersDoNotTearLines(): void
    {
        $logs = [new AccessLog($this->file), new AccessLog($this->file)];
        for ($i = 0; $i < 2000; ++$i) {
            $logs[$i % 2]->saw(str_repeat('k', 100), Event::Hit, 1795288289.0, 0.5, 60.0, 60.0);
        }
        $file = fopen($this->file, 'r');
        self::assertNotFalse($file);
        $survey = Survey::of($file);

        self::assertSame([2000, 0], [$survey->lines(), $survey->skipped()]);
    }

    private function written(): string
    {
        return (string) file_get_contents($this->file);
    }
}
