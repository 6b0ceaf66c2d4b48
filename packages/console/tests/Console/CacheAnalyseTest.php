<?php

declare(strict_types=1);

namespace Larder\Tests\Console;

use Larder\Cache\Analysis\Sighting;
use Larder\Cache\Event;
use Larder\Console\Application;
use Larder\Console\CacheAnalyseCommand;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Console\Tester\CommandTester;

#[CoversClass(CacheAnalyseCommand::class)]
final class CacheAnalyseTest extends TestCase
{
    private TemporaryDirectory $directory;

    private string $file;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        $this->file = $this->directory->path . '/access.log';
        $lines = '';
        for ($second = 0; $second <= 3600; $second += 5) {
            $lines .= (new Sighting(
                1_795_000_000.0 + $second,
                $second % 60 === 0 ? Event::Refresh : Event::Hit,
                1,
                0.8,
                60.0,
                2.0,
                'report ' . $second % 2,
            ))->line();
            $lines .= (new Sighting(1_795_000_000.0 + $second, Event::Hit, 1, 0.001, 600.0, 600.0, "menu\t"))->line();
        }
        file_put_contents($this->file, $lines . "rubbish\n");
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testItPrintsATableWithReasons(): void
    {
        $tester = $this->analyse();

        self::assertSame(0, $tester->getStatusCode());
        self::assertSame(
            <<<'TEXT'
                1443 lines over 60 min; 1 could not be read

                pattern    per min   hits    median       p95  ttl                 grace               lease
                report *     12.02  91.5%    800 ms    800 ms  60 s -> 5 min       2 s -> 10 s         8 s
                    ttl 5 min, if the data may be that old, or is named in $reads: one compute then serves 30 requests
                    grace 10 s: a key is asked for every 10 s, so somebody comes in time to make it anew
                    lease 8 s: of 20 computes 19 take no more than 800 ms
                  ! only 0.2 requests fall into the grace of 2 s: most values are gone before anybody makes them anew
                menu\x09     12.02 100.0%         ?         ?  10 min              10 min              30 s
                    ttl 10 min: as it is; one compute serves 120 requests
                    grace 10 min: as it is; a key is asked for every 4.99 s, so somebody comes in time to make it anew

                For Settings: ttl 5 min, grace 10 s, lease 8 s (median of the patterns with 90 % of the compute time)

                TEXT,
            $tester->getDisplay(),
        );
    }

    public function testItPrintsJson(): void
    {
        $values = json_decode($this->analyse('--format=json', '--limit=1')->getDisplay(), true);

        self::assertIsArray($values);
        self::assertSame(['seconds', 'lines', 'skipped', 'patterns', 'defaults'], array_keys($values));
        self::assertIsArray($values['patterns']);
        self::assertCount(1, $values['patterns']);
        self::assertIsArray($values['patterns'][0]);
        self::assertSame(
            [60.0, 2.0, 8.0, 300.0, 10.0, 8.0],
            array_map(
                static fn(string $name): mixed => $values['patterns'][0][$name . '_seconds'] ?? null,
                ['ttl', 'grace', 'lease', 'suggested_ttl', 'suggested_grace', 'suggested_lease'],
            ),
        );
    }

    public function testWhatIsNoFileIsSaid(): void
    {
        $this->file = $this->directory->path . '/none';

        $tester = $this->analyse();

        self::assertSame(2, $tester->getStatusCode());
        self::assertMatchesRegularExpression('/[^.]\.$/D', trim($tester->getDisplay()));
    }

    public function testALimitThatIsNoneIsSaid(): void
    {
        self::assertSame(2, $this->analyse('--limit=-1')->getStatusCode());
    }

    public function testTheProgramHasIt(): void
    {
        self::assertTrue(Application::create()->has('cache:analyse'));
    }

    private function analyse(string ...$options): CommandTester
    {
        $tester = new CommandTester(new CacheAnalyseCommand());
        $input = ['file' => $this->file];
        foreach ($options as $option) {
            [$name, $value] = explode('=', $option, 2) + ['', ''];
            $input[$name] = $value;
        }
        $tester->execute($input);

        return $tester;
    }
}
