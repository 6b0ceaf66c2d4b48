<?php

declare(strict_types=1);

namespace Larder\Tests\Metrics;

use Larder\Metrics\SparingLogger;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Discovery\SteppedClock;
use Larder\Tests\Support\Printed;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Psr\Log\LogLevel;
use Symfony\Component\Process\Process;

#[CoversClass(SparingLogger::class)]
final class SparingLoggerTest extends TestCase
{
    private const PROCESSES = 20;

    private const TIMES = 1000;

    private const SECONDS = 5.0;

    private TemporaryDirectory $directory;

    private SteppedClock $clock;

    private TestLog $log;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        $this->clock = new SteppedClock();
        $this->log = new TestLog();
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testPassesEachKindOnOnceASecond(): void
    {
        $sparing = $this->sparing();
        foreach (['a', 'b', 'c'] as $server) {
            $sparing->warning('{server} is gone', ['server' => $server]);
        }
        $sparing->error('{server} is gone', ['server' => 'd']);
        $sparing->warning('something else');
        $this->clock->seconds += 0.4;
        $sparing->warning('{server} is gone', ['server' => 'e']);

        self::assertSame(['warning: a is gone', 'error: d is gone', 'warning: something else'], $this->log->lines());
    }

    public function testSaysHowManyWereHeldBack(): void
    {
        $sparing = $this->sparing();
        for ($i = 0; $i < 10; ++$i) {
            $sparing->warning('{i}', ['i' => $i]);
        }
        $this->clock->seconds += 1.0;
        $sparing->warning('{i}', ['i' => 'next']);
        $this->clock->seconds += 3600.0;
        $sparing->warning('{i}', ['i' => 'later']);
        $sparing->warning('{i}', ['i' => 'held back']);
        $this->clock->seconds += 3600.0;
        $sparing->warning('{i}', ['i' => 'last']);

        self::assertSame([
            'warning: 0',
            'warning: next (9 more of this kind were held back.)',
            'warning: later',
            'warning: last (1 more of this kind were held back.)',
        ], $this->log->lines());
    }

    public function testWhoIsLateIsCountedToo(): void
    {
        $sparing = $this->sparing();
        $sparing->warning('gone');
        $this->clock->seconds += 1.0;
        $sparing->warning('gone');
        $sparing->warning('gone');
        $this->clock->seconds -= 1.0;
        $sparing->warning('gone');
        $this->clock->seconds += 2.0;
        $sparing->warning('gone');

        self::assertSame(
            ['warning: gone', 'warning: gone', 'warning: gone (2 more of this kind were held back.)'],
            $this->log->lines(),
        );
    }

    public function testAnotherObjectKnowsIt(): void
    {
        $this->sparing()->warning('gone');
        $this->sparing()->warning('gone');
        $this->clock->seconds += 1.0;
        $this->sparing()->warning('gone');

        self::assertSame(['warning: gone', 'warning: gone (1 more of this kind were held back.)'], $this->log->lines());
    }

    /** Two sites of one user, with a log each: one does not keep the other silent. */
    public function testEachErrorLogHasTheLine(): void
    {
        $before = (string) \ini_get('error_log');
        $lines = [];
        try {
            foreach (['one', 'two'] as $name) {
                $log = "{$this->directory->path}/$name.log";
                ini_set('error_log', $log);
                $sparing = new SparingLogger(directory: $this->path(), clock: $this->clock);
                $sparing->warning('gone');
                $sparing->warning('gone');
                $lines[$name] = substr_count((string) file_get_contents($log), 'gone');
            }
        } finally {
            ini_set('error_log', $before);
        }

        self::assertSame(['one' => 1, 'two' => 1], $lines);
    }

    public function testAnotherInterval(): void
    {
        $sparing = new SparingLogger($this->log, $this->path(), 60.0, $this->clock);
        $this->clock->seconds = 600.0;
        $sparing->warning('gone');
        $this->clock->seconds = 659.9;
        $sparing->warning('gone');
        $this->clock->seconds = 660.0;
        $sparing->warning('gone');

        self::assertCount(2, $this->log->lines());
    }

    public function testAClockThatIsSetBackHoldsNothingUp(): void
    {
        $sparing = $this->sparing();
        $sparing->warning('gone');
        $this->clock->seconds -= 300.0;
        $sparing->warning('gone');
        $sparing->warning('gone');
        $this->clock->seconds += 1.0;
        $sparing->warning('gone');

        self::assertCount(3, $this->log->lines());
    }

    public function testLeavesFewFilesForItsUserOnly(): void
    {
        $sparing = $this->sparing();
        for ($second = 0; $second < 20; ++$second) {
            $sparing->log(LogLevel::WARNING, 'gone');
            $sparing->log(LogLevel::WARNING, 'gone');
            $this->clock->seconds += 1.0;
        }

        self::assertLessThanOrEqual(2, \count($this->directory->files()));
        self::assertSame(0700, fileperms($this->path()) & 0777);
    }

    /** @return iterable<string, array{callable(string): mixed}> */
    public static function badPlaces(): iterable
    {
        yield 'a file is there' => [touch(...)];
        yield 'a link is there' => [static function (string $path): void {
            mkdir($path . '.else', 0700);
            symlink($path . '.else', $path);
        }];
        yield 'all may write there' => [static function (string $path): void {
            mkdir($path);
            chmod($path, 0777);
        }];
        yield 'its parent is a file' => [static function (string $path): void {
            rmdir(\dirname($path));
            touch(\dirname($path));
        }];
        yield 'it is another user\'s' => [static function (string $path): void {
            mkdir($path, 0700);
            if (posix_geteuid() !== 0 || !chown($path, 65534)) {
                self::markTestSkipped('needs root');
            }
        }];
    }

    /** @param callable(string): mixed $prepare */
    #[DataProvider('badPlaces')]
    public function testWhereItCannotBeCountedAllPasses(callable $prepare): void
    {
        mkdir($this->directory->path . '/parent');
        $path = $this->directory->path . '/parent/marks';
        $prepare($path);
        $sparing = new SparingLogger($this->log, $path, 1.0, $this->clock);
        $sparing->warning('gone');
        $sparing->warning('gone');

        self::assertSame(['warning: gone', 'warning: gone'], $this->log->lines());
        foreach (['', '.else'] as $end) {
            self::assertSame([], is_dir($path . $end) ? array_diff((array) scandir($path . $end), ['.', '..']) : []);
        }
        if (is_link($path)) {
            unlink($path);
        }
    }

    public function testAMarkThatIsALinkIsNotFollowed(): void
    {
        $victim = $this->directory->path . '/victim';
        mkdir($this->path(), 0700);
        $sparing = $this->sparing();
        $sparing->warning('gone');
        $mark = $this->directory->path . '/' . $this->directory->files('marks')[0];
        unlink($mark);
        symlink($victim, $mark);
        $sparing->warning('gone');

        self::assertFileDoesNotExist($victim);
        self::assertCount(2, $this->log->lines());
    }

    public function testManyProcessesLogOnceASecondTogether(): void
    {
        $lines = $this->directory->path . '/lines';
        $program = <<<'PHP'
            require $argv[1];
            $log = new class($argv[2]) extends Psr\Log\AbstractLogger {
                public function __construct(private string $lines) {}

                public function log($level, string|Stringable $message, array $context = []): void
                {
                    $line = json_encode([$message, $context['held_back'] ?? 0]) . "\n";
                    file_put_contents($this->lines, $line, FILE_APPEND);
                }
            };
            echo "ready\n";
            while (!is_file($argv[4])) {
                usleep(1000);
            }
            $begin = (float) file_get_contents($argv[4]);
            time_sleep_until(max($begin, microtime(true) + 0.001));
            // A new object each time, as each request of a site has one.
            for ($i = 0; $i < (int) $argv[5]; ++$i) {
                if (microtime(true) < $begin + (float) $argv[6]) {
                    $sparing = new Larder\Metrics\SparingLogger($log, $argv[3], 1.0);
                    $sparing->warning('The server {server} is gone', ['server' => $i]);
                    echo '.';
                    $end = microtime(true);
                }
                usleep(max(0, (int) (1e6 * ($begin + (float) $argv[6] * $i / (float) $argv[5] - microtime(true)))));
            }
            fwrite(STDERR, (string) ($end ?? $begin));
            PHP;
        $start = $this->directory->path . '/start';
        $processes = [];
        for ($i = 0; $i < self::PROCESSES; ++$i) {
            $processes[] = $process = new Process(
                [
                    PHP_BINARY,
                    '-r',
                    $program,
                    '--',
                    \dirname(__DIR__, 4) . '/vendor/autoload.php',
                    $lines,
                    $this->path(),
                    $start,
                    (string) self::TIMES,
                    (string) self::SECONDS,
                ],
                timeout: 600,
            );
            $process->start();
        }
        foreach ($processes as $process) {
            Printed::wait($process, 'ready');
        }
        $begin = floor(microtime(true)) + 1.0;
        file_put_contents("$start.new", (string) $begin);
        rename("$start.new", $start);
        $sent = 0;
        $end = $begin;
        foreach ($processes as $process) {
            self::assertSame(0, $process->wait(), $process->getErrorOutput());
            self::assertMatchesRegularExpression('/^[0-9.]+$/', $process->getErrorOutput());
            $end = max($end, (float) $process->getErrorOutput());
            $sent += substr_count($process->getOutput(), '.');
        }
        $passed = array_map(
            static fn(string $line): mixed => json_decode($line, true, 512, JSON_THROW_ON_ERROR),
            explode("\n", trim((string) file_get_contents($lines))),
        );
        $held = array_sum(array_column($passed, 1));

        self::assertGreaterThan(1000, $sent, 'enough was logged to tell');
        // Five or six, unless the machine let a process wait for more than a second in the middle of its last line.
        self::assertLessThanOrEqual(
            (int) (floor($end) - $begin) + 1,
            \count($passed),
            (string) file_get_contents($lines),
        );
        self::assertGreaterThanOrEqual(2, \count($passed));
        // The next line would say how many were held back in the last second, but there is none.
        $left = array_sum(
            array_map(
                fn(string $file): int => (int) filesize($this->directory->path . '/' . $file),
                $this->directory->files('marks'),
            ),
        );
        self::assertLessThanOrEqual($sent, \count($passed) + $held + $left);
        self::assertGreaterThan(0.95 * $sent, \count($passed) + $held + $left, 'nearly all were counted');
    }

    private function sparing(): SparingLogger
    {
        return new SparingLogger($this->log, $this->path(), 1.0, $this->clock);
    }

    private function path(): string
    {
        return $this->directory->path . '/marks';
    }
}
