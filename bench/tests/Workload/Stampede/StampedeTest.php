<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Stampede;

use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Floor\Noop;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Stampede\ComputeLog;
use Larder\Bench\Workload\Stampede\FaultInjector;
use Larder\Bench\Workload\Stampede\Reader;
use Larder\Bench\Workload\Stampede\Scenario;
use Larder\Bench\Workload\Stampede\SlowSource;
use Larder\Bench\Workload\Stampede\Stampede;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(ComputeLog::class)]
#[CoversClass(Scenario::class)]
#[CoversClass(FaultInjector::class)]
#[CoversClass(SlowSource::class)]
#[CoversClass(Stampede::class)]
#[CoversClass(Reader::class)]
final class StampedeTest extends TestCase
{
    /** A life is long compared with the time for which a busy machine may stop a process. */
    private const SHORT = [
        'life' => 2.0,
        'window' => 0.0,
        'compute' => 0.1,
        'workers' => 12,
        'pace' => 40.0,
        'seconds' => 2.8,
    ];

    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testAValueThatIsMadeOnceHasOneComputeForEachExpiry(): void
    {
        $measured = $this->measure(new FileCache());
        // It is made before the start, and again when its life ends.
        self::assertSame(
            [2.0, 1.0, 1.0],
            [
                $measured->extra['computes'],
                $measured->extra['computes per expiry'],
                $measured->extra['most computes of an expiry'],
            ],
        );
        self::assertGreaterThan(0.0, $measured->extra['reads that waited']);
        self::assertGreaterThan(1.5, $measured->extra['oldest value, s']);
        self::assertGreaterThan(12, $measured->window->operations);
        self::assertCount(12, $measured->window->workers);
    }

    public function testWithoutALockManyComputeAtOnce(): void
    {
        $measured = $this->measure(new FileCache('unlocked'));
        self::assertGreaterThan(2.0, $measured->extra['most computes of an expiry']);
        self::assertSame(2.0, $measured->extra['expiries']);
    }

    public function testAColdKeyIsMissedByAllAtOnce(): void
    {
        $measured = $this->measure(new FileCache(), ['fault' => 'cold', 'seconds' => 0.5]);
        self::assertSame([1.0, 1.0], [$measured->extra['expiries'], $measured->extra['computes']]);
        self::assertGreaterThanOrEqual(6.0, $measured->extra['reads that waited']);
    }

    public function testAWinnerIsKilledAndAnotherOneMakesTheValue(): void
    {
        $measured = $this->measure(new FileCache(), ['fault' => 'killed']);
        self::assertSame(1.0, $measured->extra['killed']);
        self::assertGreaterThanOrEqual(3.0, $measured->extra['computes']);
        self::assertCount(11, $measured->window->workers);
    }

    public function testAnEvictedValueIsMadeAgain(): void
    {
        // Without the eviction this value outlives the run.
        $long = ['life' => 100.0, 'window' => 98.0];
        self::assertSame(1.0, $this->measure(new FileCache(), [...$long, 'seconds' => 0.5])->extra['expiries']);
        $measured = $this->measure(new FileCache(), [...$long, 'fault' => 'evicted']);
        self::assertGreaterThanOrEqual(2.0, $measured->extra['expiries']);
    }

    public function testASlowWinnerTakesItsTime(): void
    {
        self::assertGreaterThan(700.0, $this->measure(new FileCache(), ['fault' => 'slow'])->extra['longest read, ms']);
    }

    public function testWhatWasDeletedWhileItWasMadeIsHandedOutNoMore(): void
    {
        $measured = $this->measure(new FileCache(), ['fault' => 'deleted']);
        self::assertSame(0.0, $measured->extra['reads of what was deleted']);
        self::assertGreaterThanOrEqual(3.0, $measured->extra['computes']);
        self::assertGreaterThan(
            0.0,
            $this->measure(new FileCache('keeps-deleted'), ['fault' => 'deleted'])->extra['reads of what was deleted'],
        );
    }

    public function testWhoPromisesThatIsWrongWhenItDoesNotKeepIt(): void
    {
        $this->expectException(WrongReply::class);
        $this->expectExceptionMessage('generation 0, though it was changed to 1 and deleted before');
        $this->measure(new FileCache('keeps-deleted'), ['fault' => 'deleted'], exact: true);
    }

    public function testASpoiltValueIsFound(): void
    {
        $this->expectException(WrongReply::class);
        $this->expectExceptionMessage('399 bytes where 400 were made');
        $this->measure(new FileCache('cut'));
    }

    public function testComputesNearToEachOtherAreOfOneExpiry(): void
    {
        $at = static fn(float $second): array => [
            'ended' => false,
            'worker' => 0,
            'time' => (int) ($second * 1e9),
            'moment' => $second,
        ];
        $begun = [$at(1.0), $at(1.2), $at(2.9), $at(6.0), $at(11.0), $at(11.1)];
        self::assertSame([3, 1, 2], ComputeLog::perExpiry($begun, 2.5));
        self::assertSame(
            ['expiries' => 3.0, 'computes' => 6.0, 'computes per expiry' => 2.0, 'most computes of an expiry' => 3.0],
            ComputeLog::figures($begun, 2.5),
        );
        self::assertSame(0.0, ComputeLog::figures([], 1.0)['computes per expiry']);
    }

    public function testALogIsReadLineByLine(): void
    {
        $file = $this->directory->path . '/log';
        $log = new ComputeLog($file);
        self::assertSame([], $log->news());
        $log->begins(3);
        $log->ends(3);
        file_put_contents($file, 'begin 4 12', FILE_APPEND);
        self::assertSame(
            [[false, 3], [true, 3]],
            array_map(static fn(array $line): array => [$line['ended'], $line['worker']], $log->news()),
        );
        file_put_contents($file, "3 1.5\n", FILE_APPEND);
        self::assertSame(
            [[false, 4, 123]],
            array_map(static fn(array $line): array => [$line['ended'], $line['worker'], $line['time']], $log->news()),
        );
        self::assertSame([4, 3], array_map(static fn(array $line): int => $line['worker'], $log->begun()));
    }

    public function testRefusesWhoHasNoSuchGet(): void
    {
        self::assertSame(
            'has no get that makes what is missing',
            (new Stampede())->refuses(new Definition('noop', 'Nothing', Noop::class, static fn(): Noop => new Noop())),
        );
        self::assertNull((new Stampede())->refuses(Catalogue::standard()->get('symfony-redis')));
    }

    public function testRefusesAFaultThatThereIsNot(): void
    {
        $this->expectExceptionMessage('There are: none, killed, slow, cold, evicted, deleted.');
        Scenario::of($this->job(['fault' => 'rain']));
    }

    /** @param array<string, bool|float|int|string> $parameters */
    private function measure(FileCache $cache, array $parameters = [], bool $exact = false): Measured
    {
        return (new Stampede())->measure(
            $this->job($parameters),
            new Definition('file', 'File', $cache::class, static fn(): FileCache => clone $cache, exact: $exact),
        );
    }

    /** @param array<string, bool|float|int|string> $parameters */
    private function job(array $parameters): Job
    {
        return new Job(
            'stampede',
            'file',
            [...self::SHORT, ...$parameters],
            0.25,
            0,
            1,
            [],
            $this->directory->path,
            'test:',
        );
    }
}
