<?php

declare(strict_types=1);

namespace Larder\Proof\Memory;

use Larder\Proof\HasWorkers;
use Larder\Proof\IdleClock;
use Larder\Proof\Option;
use Larder\Proof\Plan;
use Larder\Proof\RequiredExtension;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\Proof\TortureCommand;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Extension;
use Larder\Testbed\Process\Findings;
use Larder\Testbed\Process\Signals;
use Larder\Testbed\Process\WorkerPool;
use Larder\Testbed\Server\Daemon;
use Larder\Testbed\TemporaryDirectory;

/**
 * Two groups of workers on one named segment: one that shares values, one that copies them.
 *
 * The process of the program only watches them, and another looks at the clock only, to see how long the machine stops
 * by itself.
 */
final class MemoryTorture implements HasWorkers
{
    public const KEYS = 2000;

    /** All fault points that a worker passes. */
    public const FAULTS = [
        'alive', 'allocated', 'collecting', 'counting', 'drafted', 'freed', 'handed', 'leased', 'leasing', 'linked',
        'locked', 'moving', 'overwriting', 'overwritten', 'pages_given', 'pages_taken', 'pinned', 'recovered',
        'recovering', 'retired', 'scanning', 'unlinked', 'waits', 'writing', 'written',
    ];

    private const GROUPS = 2;

    /** Nanoseconds after which an operation is wedged. */
    private const WEDGED = 2_000_000_000;

    /** Microseconds between two looks. A look that is late itself accuses no worker. */
    private const LOOK = 100_000;

    /** Findings after which the run ends. */
    private const ENOUGH = 100;

    private const TELL = 5.0;

    /** In place of a group's number: the process makes the numbers of Filling, and ends. */
    private const FILL = 'fill';

    private const HITS = '/hits';

    /** Seconds after the end that the last check may take, which reads ten million numbers at most. */
    private const PATIENCE = 120.0;

    /** Bytes of each value that fills the segment before the run: with one for each key they are too many for it. */
    private const FILLER_BYTES = 6000;

    /** Milliseconds for which all workers may stand still, beyond the stops of an idle process. */
    private const GAP = 100.0;

    /** Bytes that may be in use after the store was cleared: what dead processes had begun must be taken back. */
    private const LEFT = 65_536;

    /** Figures of the store that are shown. */
    private const INFO = [
        'recoveries', 'reaped', 'entries', 'bytesUsed', 'bytesTotal', 'evictions', 'expirations', 'refusedLarge',
        'refusedFull', 'lockTimeouts', 'noSlot', 'slotsUsed', 'numbers',
    ];

    /** @var array<int, Daemon> by group */
    private array $groups = [];

    /** @var array<int, int> when the operation began that was last found wedged, by worker */
    private array $wedged = [];
    private int $wedges = 0;

    public function name(): string
    {
        return 'memory';
    }

    public function description(): string
    {
        return 'Kills PHP processes in the middle of their gets and sets, and counts wrong values';
    }

    public function help(): string
    {
        return <<<'HELP'
            Example: <info>script/torture memory --seconds=300</info>

            Workers set, get, delete, count and lease some two thousand keys in a segment that is too small for them,
            and one is killed every few milliseconds. Every value carries its key, its generation and a checksum, and
            every get checks all three. The last line says how many were wrong and how many workers hung. The exit code
            is 1 if any, or if all stood still for 100 ms longer than an idle process, and 2 if the run was too poor to
            show anything.
            HELP;
    }

    public function options(): array
    {
        return [
            Option::seconds(),
            Option::number('workers', 'Processes at once, half of which share and half of which copy', 4, 10, 4),
            Option::text('size', 'Of the segment; small, so that it is always full', '/^\d+[KMG]?$/D', '8M', '8M'),
            Option::number(
                'entries',
                'Numbers that lie in the segment besides, which size has to have room for',
                0,
                20_000_000,
                0,
            ),
            Option::number('namespaces', 'In which those numbers lie', 1, 1_000_000, 1),
            Option::seed(),
            Option::extension(),
            Option::list('faults', 'Fault points, with commas, at which workers also kill themselves (without a value:'
                . ' all); needs the debug build', self::FAULTS),
            Option::flag('no-recovery', 'Use the lock of a dead process as it is, to see that the check finds it;'
                . ' needs the debug build'),
        ];
    }

    public function requiredExtension(): RequiredExtension
    {
        return RequiredExtension::None;
    }

    /** @return array<string, int> of the board */
    public static function series(int $workers): array
    {
        return [
            // When to stop, in nanoseconds; 0: the run has not begun.
            'end' => 1,
            // The longest stop that the idle process saw, in nanoseconds.
            'idle' => 1,
            'begun' => self::KEYS,
            'acknowledged' => self::KEYS + MemoryKeys::COMMON + MemoryKeys::SUMS,
            WorkerCount::class => $workers,
            GroupCount::class => self::GROUPS,
        ];
    }

    public function run(Run $run): Result
    {
        $isWithoutRecovery = $run->has('no-recovery');
        $faults = $run->words('faults');
        $extension = Extension::at($run->extension(), $isWithoutRecovery || $faults !== []);
        $environment = $isWithoutRecovery ? ['LARDER_NO_RECOVERY' => '1'] : [];
        $workers = $run->number('workers');
        $scratch = new TemporaryDirectory('larder-torture');
        $board = Board::share(self::series($workers));
        $plan = new Plan($board->id, $workers, $run->seed(), $scratch->path, $faults);
        $findings = $plan->findings();
        if ($run->number('entries') > 0) {
            (new Filling($run->number('entries'), $run->number('namespaces')))->write($plan->directory);
        }
        $idle = new WorkerPool(static fn() => IdleClock::run(static function (
            int $from,
            int $until,
        ) use ($board): void {
            if ($board->get('end') > $until) {
                $board->raise('idle', $until - $from);
            }
        }));
        $stop = function () use ($board, $idle, $scratch): void {
            array_map(static fn(Daemon $group) => $group->stop(), $this->groups);
            $this->groups = [];
            $idle->killAll();
            $board->remove();
            $scratch->remove();
        };
        Signals::stop($stop);
        try {
            $idle->fill(1);
            $this->start($plan, $board, $extension, $run->text('size'), $environment);
            $end = (int) (hrtime(true) + $run->seconds() * 1e9);
            $board->set('end', $end);
            $this->watch($end, $board, $findings, $run);
            $board->set('end', 1);
            $this->awaitEnd($plan, $findings);
            $info = json_decode((string) @file_get_contents($scratch->path . '/info.json'), true);
            $info = \is_array($info) ? $info : [];
            if ($info !== []) {
                $info['numbers'] = (int) @file_get_contents($scratch->path . self::HITS);
            }

            return self::result($board, $this->wedges, $info, $findings->all(), $run->seconds());
        } finally {
            $stop();
        }
    }

    /** @param list<string> $arguments number of the group, numbers of its workers with commas */
    public function work(Plan $plan, array $arguments): void
    {
        [$group, $numbers] = $arguments + ['0', '0'];
        $filling = Filling::in($plan->directory);
        if ($group === self::FILL) {
            $filling?->fill();

            return;
        }
        $shares = \in_array(\ini_get('larder.share'), ['1', 'On'], true);
        $workers = new WorkerGroup($plan, (int) $group, array_map(intval(...), explode(',', $numbers)), $shares);
        $workers->run();
        if ((int) $group === self::GROUPS - 1) {
            usleep(200_000);
            $hits = $filling?->take($plan->findings());
            $workers->checkAll();
            // What was still there, for the result.
            file_put_contents($plan->directory . self::HITS, (string) $hits);
        }
    }

    /**
     * @param array<array-key, mixed> $info     of the store at the end; empty: it could not be asked any more
     * @param list<string>            $findings
     */
    public static function result(Board $board, int $wedges, array $info, array $findings, float $seconds): Result
    {
        $number = static fn(string $name): int => \is_int($info[$name] ?? null) ? $info[$name] : 0;
        $figures = [];
        foreach (self::INFO as $name) {
            $figures[strtolower((string) preg_replace('/[A-Z]/', '_$0', $name))] = $number($name);
        }
        [$reads, $kills] = [$board->sum(WorkerCount::Reads), $board->sum(GroupCount::Kills)];
        $faults = $board->sum(GroupCount::Faults);
        [$gap, $idle] = [$board->max(WorkerCount::Gap) / 1e6, $board->get('idle') / 1e6];
        $left = $board->sum(GroupCount::BytesLeft);
        $wrong = \count($findings);

        return new Result(
            [
                'wrong' => $wrong,
                'wedged' => $wedges,
                'reads' => $reads,
                'hits' => $board->sum(WorkerCount::Hits),
                'rechecks' => $board->sum(WorkerCount::Rechecks),
                'writes' => $board->sum(WorkerCount::Writes),
                'refused' => $board->sum(WorkerCount::Refused),
                'operations' => $board->sum(WorkerCount::Operations),
                'forks_while_pinned' => $board->sum(WorkerCount::Forks),
                'kills_from_outside' => $kills,
                'kills_at_fault_points' => $faults,
                'ends' => $board->sum(GroupCount::Ends),
                ...$figures,
                'gap_ms' => round($gap, 1),
                'idle_gap_ms' => round($idle, 1),
                'slowest_operation_ms' => round($board->max(WorkerCount::Slowest) / 1e6, 1),
                'bytes_left_after_clear' => $left,
                'findings' => $findings,
            ],
            \sprintf('wrong: %d, wedged: %d of %d reads, %d kills', $wrong, $wedges, $reads, $kills + $faults),
            $wrong + $wedges === 0 && $gap <= $idle + self::GAP && $left <= self::LEFT && $info !== [],
            // A run that hardly killed or read, or never in a lock, has shown nothing.
            $kills >= 20 * $seconds
                && $reads >= 1000 * $seconds
                && $number('recoveries') > 0
                && $number('evictions') > 0,
            'Too few kills, reads, recoveries or evictions to show anything.',
        );
    }

    /** @param array<string, string> $environment */
    private function start(Plan $plan, Board $board, Extension $extension, string $size, array $environment): void
    {
        $segments = $plan->directory . '/segments';
        mkdir($segments, 0o700);
        $settings = ['larder.name' => 'torture', 'larder.directory' => $segments, 'larder.size' => $size];
        // The process that makes the segment passes fault points, after which none can be set any more. So another
        // process makes it, fills it, since a slow machine would hardly do that in a short run, and ends here.
        $fill = \sprintf(
            '$store = new Larder\SharedMemory();'
                . ' for ($i = 0; $i < %d; ++$i) { $store->set("%s$i", str_repeat("-", %d)); }',
            self::KEYS,
            MemoryKeys::FILLER,
            self::FILLER_BYTES,
        );
        $make = [...$extension->barePhp([...$settings, 'larder.share' => '0']), '-r', $fill];
        exec(implode(' ', array_map(escapeshellarg(...), $make)));
        $file = $plan->write();
        $words = [TortureCommand::script(), 'workers', $this->name(), $file, self::FILL];
        $fill = [...$extension->barePhp([...$settings, 'larder.share' => '0']), ...$words];
        exec(implode(' ', array_map(escapeshellarg(...), $fill)));
        $numbers = array_chunk(range(0, $plan->workers - 1), max(1, (int) ceil($plan->workers / self::GROUPS)));
        foreach ($numbers as $group => $of) {
            $php = $extension->barePhp([...$settings, 'larder.share' => $group === 0 ? '1' : '0']);
            $words = [TortureCommand::script(), 'workers', $this->name(), $file, (string) $group, implode(',', $of)];
            $log = self::log($plan, $group);
            $environment += ['PATH' => (string) getenv('PATH')];
            $this->groups[$group] = new Daemon("group $group", [...$php, ...$words], $environment, $log);
            $isReady = static fn(): bool => $board->get(GroupCount::Ready, $group) === 1;
            $this->groups[$group]->awaitReady($isReady, $log);
        }
        $board->remove();
    }

    private function watch(int $end, Board $board, Findings $findings, Run $run): void
    {
        $told = $looked = microtime(true);
        while (hrtime(true) < $end && $findings->count() < self::ENOUGH) {
            foreach ($this->groups as $group => $daemon) {
                if (!$daemon->isRunning() && hrtime(true) < $end) {
                    $findings->add("group $group ended");

                    return;
                }
            }
            usleep(self::LOOK);
            $now = microtime(true);
            if ($now - $looked < 5 * self::LOOK / 1e6) {
                $this->lookForWedges($board);
            }
            $looked = $now;
            if ($now - $told >= self::TELL) {
                $told = $now;
                $run->tell($this->line($board, $findings->count(), (int) ceil(($end - hrtime(true)) / 1e9)));
            }
        }
    }

    private function lookForWedges(Board $board): void
    {
        foreach ($board->all(WorkerCount::OperationBegan) as $worker => $began) {
            $isLong = $began > 0 && hrtime(true) - $began > self::WEDGED;
            if ($isLong && ($this->wedged[$worker] ?? 0) !== $began) {
                $this->wedged[$worker] = $began;
                ++$this->wedges;
            }
        }
    }

    /** The group that copies makes the last check once the other one is gone. */
    private function awaitEnd(Plan $plan, Findings $findings): void
    {
        foreach ($this->groups as $group => $daemon) {
            $deadline = microtime(true) + self::PATIENCE;
            while ($daemon->isRunning() && microtime(true) < $deadline) {
                usleep(10_000);
            }
            if ($daemon->isRunning()) {
                $findings->add("group $group does not end");
            }
            $said = trim((string) @file_get_contents(self::log($plan, $group)));
            if ($said !== '') {
                $findings->add("group $group says: $said");
            }
        }
    }

    private function line(Board $board, int $wrong, int $left): string
    {
        return \sprintf(
            '%d wrong, %d wedged, %d reads, %d writes (%d refused), %d kills, %d at fault points, gap %.0f ms'
                . ' (idle %.0f ms), %d s left',
            $wrong,
            $this->wedges,
            $board->sum(WorkerCount::Reads),
            $board->sum(WorkerCount::Writes),
            $board->sum(WorkerCount::Refused),
            $board->sum(GroupCount::Kills),
            $board->sum(GroupCount::Faults),
            $board->max(WorkerCount::Gap) / 1e6,
            $board->get('idle') / 1e6,
            $left,
        );
    }

    private static function log(Plan $plan, int $group): string
    {
        return "$plan->directory/group-$group.log";
    }
}
