<?php

declare(strict_types=1);

namespace Larder\Bench\Run;

use Closure;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Result\Cell;
use Larder\Bench\Result\Chart;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\InProcess;
use Larder\Bench\Workload\Job;
use Larder\Testbed\Process\Signals;
use Larder\Testbed\Server\Program;
use Larder\Testbed\Server\ServerFailed;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * Takes a plan's windows: chart by chart, block by block.
 *
 * In a block each subject has one window in a fresh process. The windows are taken in short turns, every subject once a
 * round, in an order that treats all alike: what slows the machine down for longer than a round meets all of them. A
 * chart ends at the first look that tells enough, or when its share of the time is spent. What a cell does wrong ends
 * that cell and no other.
 */
final class Runner
{
    /** Seconds after which a process that gives no answer is given up, beside the time that its test is to last. */
    private const PATIENCE = 100.0;

    /** Steps that are enough to count system calls by. */
    private const TRACED = 200;

    /**
     * Seconds of a turn: short beside what the machine does meanwhile, long beside the way from one process to the
     * next.
     */
    private const TURN = 0.025;

    /** With more workers in the processes of a block its subjects have their windows one after the other. */
    private const MOST_WORKERS = 64;

    private readonly Randomizer $random;
    private readonly float $begin;

    /** The name of this run, in front of every key. */
    private readonly string $run;

    private ?int $signal = null;

    /**
     * @param float       $window   seconds
     * @param float       $longest  seconds after which no window begins
     * @param string|null $subjects file with further subjects
     */
    public function __construct(
        private readonly Sites $sites,
        private readonly Progress $progress,
        private readonly Profile $profile,
        private readonly float $window,
        private readonly float $longest,
        private readonly int $seed,
        private readonly ?string $subjects = null,
        private readonly Placement $placement = Placement::Together,
    ) {
        $this->random = new Randomizer(new Xoshiro256StarStar($seed));
        $this->begin = microtime(true);
        $this->run = bin2hex(random_bytes(6));
    }

    /**
     * Notes Ctrl-C and SIGTERM meanwhile: the run ends after tidying up, with a valid partial result.
     *
     * @template T
     *
     * @param Closure(): T $work
     *
     * @return T
     */
    public function listenDuring(Closure $work): mixed
    {
        return Signals::handleDuring(function (int $signal): void {
            $this->signal = $signal;
        }, $work, restarts: false);
    }

    /** The exit code after a signal; null if none came. */
    public function exitCode(): ?int
    {
        return $this->signal === null ? null : 128 + $this->signal;
    }

    /**
     * @param list<Planned> $plan
     *
     * @return list<Chart> as many as were begun
     */
    public function run(array $plan): array
    {
        $this->progress->expect(\count($plan));
        $weights = array_map(static fn(Planned $planned): int => \count($planned->subjects), $plan);
        $charts = [];
        foreach ($plan as $index => $planned) {
            if ($this->isOver()) {
                break;
            }
            $left = min($this->longest, $this->profile->budget()) - (microtime(true) - $this->begin);
            $share = min(
                $this->profile->longestChart(),
                $left * $weights[$index] / max(1, array_sum(\array_slice($weights, $index))),
            );
            $charts[] = $this->chart($planned, microtime(true) + $share);
        }

        return $charts;
    }

    /** @phpstan-impure */
    public function isOver(): bool
    {
        return $this->exitCode() !== null || microtime(true) - $this->begin > $this->longest;
    }

    private function chart(Planned $planned, float $deadline): Chart
    {
        $this->progress->chart($planned->id(), $planned->looks->most() * \count($planned->subjects));
        $records = [];
        $going = [];
        $this->sites->fleet->revive();
        foreach ($planned->subjects as $subject) {
            $record = $records[$subject->id] = new CellRecord($subject->id);
            $this->prepare($planned, $subject, $record);
            if ($record->goesOn()) {
                $going[] = $subject;
            }
        }
        $most = $planned->looks->most();
        for ($block = 0; $block < $most && $going !== [] && !$this->isOver(); ++$block) {
            $this->block($planned, Planned::orders($this->random, $going, $this->turns()), $records, $block);
            $going = array_values(
                array_filter($going, static fn(Definition $subject): bool => $records[$subject->id]->goesOn()),
            );
            $isLook = \in_array($block + 1, $planned->looks->blocks, true);
            if (
                $isLook
                && (microtime(true) > $deadline || $this->made($planned, $records)->isAnswered($planned->contenders()))
            ) {
                break;
            }
        }
        foreach ($going as $subject) {
            $this->trace($planned, $subject, $records[$subject->id]);
        }

        return $this->made($planned, $records);
    }

    /** @param array<string, CellRecord> $records */
    private function made(Planned $planned, array $records): Chart
    {
        return new Chart(
            $planned->id(),
            $planned->test->name,
            $planned->test->title,
            $planned->test->work,
            $planned->test->unit,
            $planned->parameters,
            array_values(array_map(static fn(CellRecord $record): Cell => $record->cell(), $records)),
            $this->placement($planned)->sentence(),
            \count($planned->looks->blocks),
        );
    }

    private function placement(Planned $planned): Placement
    {
        return $this->placement->of($planned);
    }

    private function prepare(Planned $planned, Definition $subject, CellRecord $record): void
    {
        $missing = $subject->missing();
        $refusal = $missing === []
            ? $planned->test->workload->refuses($subject)
            : 'PHP has no extension ' . implode(', ', $missing);
        if ($refusal !== null) {
            $record->absent($refusal);
        } elseif ($subject->shared && !$this->isOver()) {
            $this->guarded($record, fn() => $this->process($planned, $subject, 0, prepare: true)->finish());
        }
    }

    /**
     * @param list<list<Definition>>    $orders  of each round
     * @param array<string, CellRecord> $records
     */
    private function block(Planned $planned, array $orders, array $records, int $block): void
    {
        $workers = array_sum(
            array_map(static fn(Definition $subject): int => $subject->times, $orders[0]),
        ) * max(1, (int) ($planned->parameters['workers'] ?? 1));
        if (!self::isInTurns($planned) || $workers > self::MOST_WORKERS) {
            foreach ($orders[0] as $position => $subject) {
                if (!$this->isOver()) {
                    $this->windows(
                        $planned,
                        [$position => $subject],
                        array_fill(0, $this->turns(), [$subject]),
                        $records,
                        $block,
                    );
                }
            }
        } else {
            $this->windows($planned, $orders[0], $orders, $records, $block);
        }
    }

    /**
     * @param array<int, Definition>    $subjects by position
     * @param list<list<Definition>>    $rounds
     * @param array<string, CellRecord> $records
     */
    private function windows(Planned $planned, array $subjects, array $rounds, array $records, int $block): void
    {
        /** @var array<string, WindowProcess> $processes */
        $processes = [];
        $isInTurns = self::isInTurns($planned);
        foreach ($subjects as $subject) {
            $this->guarded($records[$subject->id], function () use ($planned, $subject, $block, &$processes): void {
                $process = $this->process($planned, $subject, $block);
                if ($planned->test->workload instanceof InProcess) {
                    $process->awaitReady();
                }
                $processes[$subject->id] = $process;
            });
        }
        foreach ($planned->test->workload instanceof InProcess ? (
            $isInTurns
                ? $rounds
                : \array_slice($rounds, 0, 1)
        ) : [] as $round) {
            foreach ($round as $subject) {
                if ($records[$subject->id]->goesOn() && isset($processes[$subject->id])) {
                    $this->guarded($records[$subject->id], static fn() => $processes[$subject->id]->turn());
                }
            }
        }
        foreach ($subjects as $position => $subject) {
            if ($records[$subject->id]->goesOn() && isset($processes[$subject->id])) {
                $this->progress->window($subject->id);
                $this->guarded($records[$subject->id], static function () use (
                    $processes,
                    $subject,
                    $records,
                    $block,
                    $position,
                ): void {
                    $measured = $processes[$subject->id]->finish();
                    if ($measured !== null) {
                        $records[$subject->id]->add($measured, $block, $position);
                    }
                });
            }
        }
    }

    /** @return positive-int turns of a window */
    private function turns(): int
    {
        return max(1, (int) round($this->window / self::TURN));
    }

    /**
     * Whether a window is taken in turns: an open loop needs all of its time at once, and so does what is no loop in
     * PHP.
     */
    private static function isInTurns(Planned $planned): bool
    {
        return $planned->test->workload instanceof InProcess && !(($planned->parameters['load'] ?? 0) > 0);
    }

    /** System calls and bytes of one worker, outside the windows: a traced process is many times slower. */
    private function trace(Planned $planned, Definition $subject, CellRecord $record): void
    {
        if (
            !$planned->test->workload instanceof InProcess
            || isset($planned->parameters['check'])
            || $this->isOver()
            || Program::find('strace') === null
        ) {
            return;
        }
        $file = $this->sites->directory . '/trace';
        try {
            $process = $this->process($planned, $subject, 0, false, [...WindowProcess::TRACE, $file], self::TRACED);
            $process->awaitReady();
            $process->turn();
            $counted = $process->finish();
        } catch (Failed|WrongReply|NotApplicable) {
            // The windows tell of faults; that strace may not run here is none.
            return;
        }
        $trace = (string) @file_get_contents($file);
        $found = $counted === null ? null : WindowProcess::systemCalls($trace, $counted->window->operations);
        if ($found !== null) {
            $record->note([...$found, ...$planned->test->workload->figures($trace)]);
        }
    }

    /** @param list<string> $prefix */
    private function process(
        Planned $planned,
        Definition $subject,
        int $block,
        bool $prepare = false,
        array $prefix = [],
        int $traced = 0,
    ): WindowProcess {
        $placement = $this->placement($planned);
        $job = new Job(
            $planned->test->name,
            $subject->id,
            $traced > 0 ? [...$planned->parameters, 'workers' => 1] : $planned->parameters,
            $this->window,
            $block,
            $this->seed + $block * 7919,
            $this->sites->endpoints($planned, $subject, $placement),
            $this->sites->directory,
            $this->prefix($planned, $subject),
            $traced > 0 ? 0.0 : $this->profile->warmUp(),
            $traced,
            $subject->isChecked(),
            self::isInTurns($planned) && $traced === 0 ? $this->turns() : 1,
        );
        $patience = $planned->test->workload instanceof InProcess
            ? self::PATIENCE
            : 3 * self::PATIENCE + 2 * $job->float('seconds', 0.0);

        return new WindowProcess(
            $job,
            $subject,
            $prepare,
            $this->subjects,
            $this->sites->directory,
            $patience,
            [...$placement->command(), ...$prefix],
        );
    }

    /** @param callable(): mixed $work */
    private function guarded(CellRecord $record, callable $work): void
    {
        try {
            $work();
        } catch (WrongReply $exception) {
            $record->void($exception->getMessage());
        } catch (NotApplicable $exception) {
            $record->absent($exception->getMessage());
        } catch (Failed|ServerFailed $exception) {
            // A window that Ctrl-C cut short says nothing about its subject.
            if ($this->exitCode() === null) {
                $record->fail($exception->getMessage());
            }
        }
    }

    /** Keys of other cells, and of other runs on a named server, are other keys. */
    private function prefix(Planned $planned, Definition $subject): string
    {
        return substr(hash('xxh3', $this->run . '/' . $planned->test->name . '/' . $subject->id), 0, 10)
            . ':';
    }
}
