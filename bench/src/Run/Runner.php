<?php

declare(strict_types=1);

namespace Larder\Bench\Run;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Result\Chart;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\InProcess;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Testbed\Server\Program;
use Larder\Testbed\Server\ServerFailed;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * Takes a plan's windows: chart by chart, block by block, in each block every subject once, in an order that treats all alike.
 * What a cell does wrong ends that cell and no other.
 */
final class Runner
{
    /** Seconds after which a process that gives no answer is given up, beside the time that its test is to last. */
    private const PATIENCE = 100.0;

    /** Steps that are enough to count system calls by. */
    private const TRACED = 200;

    private readonly Randomizer $random;
    private readonly float $begin;

    public function __construct(
        private readonly Sites $sites,
        private readonly Settings $settings,
        private readonly Progress $progress,
        private readonly Interrupt $interrupt,
    ) {
        $this->random = new Randomizer(new Xoshiro256StarStar($settings->seed));
        $this->begin = microtime(true);
    }

    /**
     * @param list<Planned> $plan
     *
     * @return list<Chart> as many as were begun
     */
    public function run(array $plan): array
    {
        $this->progress->expect(array_sum(array_map(static fn(Planned $planned): int => $planned->blocks * \count($planned->subjects), $plan)));
        $charts = [];
        foreach ($plan as $planned) {
            if ($this->isOver()) {
                break;
            }
            $charts[] = $this->chart($planned);
        }

        return $charts;
    }

    /** @phpstan-impure */
    public function isOver(): bool
    {
        return $this->interrupt->came() || microtime(true) - $this->begin > $this->settings->longest;
    }

    private function chart(Planned $planned): Chart
    {
        /** @var array<string, CellRecord> $records */
        $records = [];
        $going = [];
        $this->sites->fleet->revive();
        foreach ($planned->subjects as $subject) {
            $record = $records[$subject->id] = new CellRecord($subject->id);
            $this->prepare($planned, $subject, $record);
            if ($record->goesOn()) {
                $going[] = $subject;
            } else {
                $this->progress->skip($planned->blocks);
            }
        }
        foreach ((new LatinSquare($this->random))->orders($going, $planned->blocks) as $block => $order) {
            foreach ($order as $position => $subject) {
                if ($this->isOver()) {
                    break 2;
                }
                if ($records[$subject->id]->goesOn()) {
                    $this->window($planned, $subject, $records[$subject->id], $block, $position);
                }
            }
        }

        foreach ($going as $subject) {
            $this->trace($planned, $subject, $records[$subject->id]);
        }

        return new Chart(
            $planned->id(),
            $planned->test->name,
            $planned->test->title,
            $planned->test->work,
            $planned->test->unit,
            $planned->parameters,
            array_values(array_map(static fn(CellRecord $record): \Larder\Bench\Result\Cell => $record->cell(), $records)),
        );
    }

    private function prepare(Planned $planned, Definition $subject, CellRecord $record): void
    {
        $missing = $subject->missing();
        $refusal = $missing === [] ? $planned->test->workload->refuses($subject) : 'PHP has no extension ' . implode(', ', $missing);
        if ($refusal !== null) {
            $record->absent($refusal);
        } elseif ($subject->shared && !$this->isOver()) {
            $this->guarded($record, fn() => $this->process($planned, $subject, 0, true));
        }
    }

    private function window(Planned $planned, Definition $subject, CellRecord $record, int $block, int $position): void
    {
        $this->progress->window($planned->id(), $subject->id);
        $this->guarded($record, function () use ($planned, $subject, $record, $block, $position): void {
            $measured = $this->process($planned, $subject, $block, false);
            if ($measured !== null) {
                $record->add($measured, $block, $position);
            }
        });
        if (!$record->goesOn()) {
            $this->progress->skip($planned->blocks - $block - 1);
        }
    }

    /** System calls and bytes of one worker, outside the windows: a traced process is many times slower. */
    private function trace(Planned $planned, Definition $subject, CellRecord $record): void
    {
        if (!$record->goesOn() || !$planned->test->workload instanceof InProcess || isset($planned->parameters['check']) || $this->isOver() || !$this->canTrace()) {
            return;
        }
        $file = $this->sites->directory . '/trace';
        try {
            $counted = $this->process($planned, $subject, 0, false, [...SystemCalls::COMMAND, $file], self::TRACED);
        } catch (Failed|WrongReply|NotApplicable) {
            // The windows tell of faults; that strace may not run here is none.
            return;
        }
        $record->note($counted === null ? [] : SystemCalls::of((string) @file_get_contents($file))?->per($counted->window->operations) ?? []);
        @unlink($file);
    }

    private function canTrace(): bool
    {
        return Program::find('strace') !== null;
    }

    /** @param list<string> $prefix */
    private function process(Planned $planned, Definition $subject, int $block, bool $prepare, array $prefix = [], int $traced = 0): ?Measured
    {
        $job = new Job(
            $planned->test->name,
            $subject->id,
            $traced > 0 ? [...$planned->parameters, 'workers' => 1] : $planned->parameters,
            $this->settings->window,
            $block,
            $this->settings->seed + $block * 7919,
            $this->sites->endpoints($planned, $subject),
            $this->sites->directory,
            $this->prefix($planned, $subject),
            $traced > 0 ? 0.0 : $this->settings->warmUp,
            $traced,
            $subject->isChecked(),
        );
        $patience = $planned->test->workload instanceof InProcess ? self::PATIENCE : 3 * self::PATIENCE + 2 * $job->float('seconds', 0.0);

        return (new WindowProcess($this->sites->directory))->run(new Order($job, $prepare, $this->settings->subjects), $subject, $patience, [...$this->sites->cores($planned), ...$prefix]);
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
            if (!$this->interrupt->came()) {
                $record->fail($exception->getMessage());
            }
        }
    }

    /** Keys of other cells, and of other runs on a named server, are other keys. */
    private function prefix(Planned $planned, Definition $subject): string
    {
        return substr(hash('xxh3', $this->settings->run . '/' . $planned->test->name . '/' . $subject->id), 0, 10) . ':';
    }
}
