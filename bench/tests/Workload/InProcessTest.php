<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload;

use Closure;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Collections;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\InProcess;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;
use PHPUnit\Framework\TestCase;
use RuntimeException;

final class InProcessTest extends TestCase
{
    /** Operations of which a tenth is what a percentile needs. */
    private const ENOUGH = 150;

    public function testCountsWhatAllWorkersDidInTheMiddleOfTheWindow(): void
    {
        $measured = $this->measure(static function (): int {
            usleep(1000);

            return 10;
        }, ['workers' => 2], operations: 3);

        $window = $measured->window;
        self::assertCount(2, $window->workers);
        self::assertSame($window->operations, array_sum($window->workers));
        self::assertSame($window->operations, array_sum($window->slices));
        self::assertSame(0, $window->operations % 3);
        self::assertSame(intdiv($window->operations, 3) * 10, $window->bytes);
        self::assertSame(intdiv($window->operations, 3), $measured->latency->count());
        self::assertGreaterThanOrEqual(0.8 * 0.3, $window->seconds);
        // A sleep of a millisecond takes that long at least, so no worker can do more than this.
        self::assertLessThanOrEqual(2 * 3 * $window->seconds * 1000 + 6, $window->operations);
        self::assertGreaterThanOrEqual(1_000_000 * 0.99, $measured->latency->percentile(0.5));
        self::assertNull($window->offered);
    }

    public function testMultipliesTheWorkersOfASubjectThatAsksForIt(): void
    {
        $job = new Job('test', 'nothing', ['workers' => 2], 0.1, 0, 1, [], sys_get_temp_dir(), 'p:', 0.05);
        $twice = $this->definition()->as('nothing*2', times: 2);

        self::assertCount(
            4,
            (new InProcess($this->operations(static fn(): int => 0)))->measure($job, $twice)->window->workers,
        );
    }

    public function testASubjectThatIsNotForThisIsLeftOut(): void
    {
        $this->expectException(NotApplicable::class);
        $this->expectExceptionMessage('is full for good');

        $this->measure(static fn(): int => throw new NotApplicable('is full for good'));
    }

    public function testKeepsToTheWindowWhenOneStepIsLongerThanIt(): void
    {
        $window = $this->measure(static function (): int {
            usleep(500_000);

            return 1;
        })->window;

        self::assertGreaterThanOrEqual(1, $window->operations);
        self::assertGreaterThan(0.24, $window->seconds);
        self::assertLessThan(2.2, $window->rate());
    }

    public function testAccountsTheCpuOfTheWorkersOnly(): void
    {
        $idle = $this->measure(static function (): int {
            usleep(2000);

            return 0;
        })->window;
        $busy = $this->measure(static function (): int {
            for ($i = 0; $i < 10_000; ++$i);

            return 0;
        })->window;

        // What the busy worker gets of the processor is the machine's choice. A worker that sleeps takes far less.
        self::assertGreaterThan(0.0, $idle->clientCpu);
        self::assertGreaterThan(2 * $idle->clientCpu / $idle->seconds, $busy->clientCpu / $busy->seconds);
    }

    public function testStartsOperationsWhenTheyAreDueAndCountsTheirLatencyFromThen(): void
    {
        $steps = 0;
        $seconds = 1.0;
        do {
            $measured = $this->measure(static function () use (&$steps): int {
                // Every fiftieth takes as long as twenty.
                usleep(++$steps % 50 === 0 ? 20_000 : 1000);

                return 0;
            }, ['load' => 0.5, 'arrivals' => 'constant'], seconds: $seconds);
            $seconds *= 2;
            // How many are due in that time is the machine's choice.
        } while ($measured->latency->count() < self::ENOUGH && $seconds < 100);

        self::assertGreaterThan(0.0, $measured->window->offered);
        // Those that were due while the long one ran were late too: far more than one in fifty.
        self::assertGreaterThan(3e6, $measured->latency->percentile(0.9));
    }

    public function testPassesOnThatAReplyWasWrong(): void
    {
        $this->expectException(WrongReply::class);
        $this->expectExceptionMessage('key:7: the value of another key');

        $this->measure(static fn(): int => throw new WrongReply('key:7: the value of another key'), ['workers' => 2]);
    }

    public function testFailsWithTheFirstErrorOfAWorker(): void
    {
        $this->expectException(Failed::class);
        $this->expectExceptionMessage('RuntimeException: connection refused');

        $this->measure(static fn(): int => throw new RuntimeException('connection refused'));
    }

    public function testFailsWhenAWorkerIsKilled(): void
    {
        $steps = 0;
        $this->expectException(Failed::class);
        $this->expectExceptionMessage('worker 0 died of signal 9');

        $this->measure(static function () use (&$steps): int {
            usleep(1000);
            if (++$steps === 200) {
                posix_kill(posix_getpid(), SIGKILL);
            }

            return 0;
        }, seconds: 60.0);
    }

    public function testSaysWhatASubjectCannotDo(): void
    {
        $operations = $this->operations(static fn(): int => 0, needs: [Collections::class]);

        self::assertSame('has no lists, hashes and sets', (new InProcess($operations))->refuses($this->definition()));
        self::assertNull((new InProcess($this->operations(static fn(): int => 0)))->refuses($this->definition()));
    }

    public function testRefusesSenselessNumbersOfWorkers(): void
    {
        $this->expectExceptionMessage('workers must be 1 to 256, not 257');

        $this->measure(static fn(): int => 0, ['workers' => 257]);
    }

    public function testLeavesNoWorkerBehind(): void
    {
        $this->measure(static fn(): int => 0, ['workers' => 3]);

        self::assertSame('', trim((string) file_get_contents(\sprintf('/proc/%d/task/%1$d/children', getmypid()))));
    }

    /**
     * @param Closure(): int                       $run
     * @param array<string, bool|float|int|string> $parameters
     */
    private function measure(Closure $run, array $parameters = [], int $operations = 1, float $seconds = 0.3): Measured
    {
        $job = new Job('test', 'nothing', $parameters, $seconds, 0, 1, [], sys_get_temp_dir(), 'p:', 0.05);

        return (new InProcess($this->operations($run, $operations)))->measure($job, $this->definition());
    }

    private function definition(): Definition
    {
        $nothing = new class implements Subject {
            public function connect(Context $context): void {}

            public function close(): void {}
        };

        return new Definition('nothing', 'Nothing', Subject::class, static fn(): Subject => $nothing);
    }

    /**
     * @param Closure(): int              $run
     * @param list<class-string<Subject>> $needs
     */
    private function operations(Closure $run, int $operations = 1, array $needs = []): Operations
    {
        return new class ($run, $operations, $needs) implements Operations {
            /**
             * @param Closure(): int              $run
             * @param list<class-string<Subject>> $needs
             */
            public function __construct(
                private readonly Closure $run,
                private readonly int $operations,
                private readonly array $needs,
            ) {}

            public function needs(): array
            {
                return $this->needs;
            }

            public function fill(Subject $subject, Job $job): void {}

            public function step(Subject $subject, Job $job, int $worker): Step
            {
                return new Step($this->run, $this->operations);
            }
        };
    }
}
