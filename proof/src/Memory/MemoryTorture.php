<?php

declare(strict_types=1);

namespace Larder\Proof\Memory;

use Larder\Proof\About;
use Larder\Proof\HasWorkers;
use Larder\Proof\IdleClock;
use Larder\Proof\Option;
use Larder\Proof\Plan;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\SharedMemory;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Extension;
use Larder\Testbed\Server\Daemon;

/**
 * Two groups of workers on one named segment: one that shares values, one that copies them.
 *
 * The process of the program only watches them, and another looks at the clock only, to see how long the machine stops
 * by itself.
 */
final class MemoryTorture implements HasWorkers
{
    public const KEYS = 2000;

    private const NAME = 'memory';

    /** All fault points that a worker passes. */
    public const FAULTS = [
        'alive', 'allocated', 'collecting', 'counting', 'drafted', 'freed', 'handed', 'leased', 'leasing', 'linked',
        'locked', 'moving', 'overwriting', 'overwritten', 'pages_given', 'pages_taken', 'pinned', 'recovered',
        'recovering', 'retired', 'scanning', 'unlinked', 'waits', 'writing', 'written',
    ];

    private const GROUPS = 2;

    /** Nanoseconds after which an operation is wedged. */
    private const WEDGED = 2_000_000_000;

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

    public function about(): About
    {
        return new About(
            self::NAME,
            'Kills PHP processes in the middle of their gets and sets, and counts wrong values',
            <<<'HELP'
            Example: <info>script/torture memory --seconds=300</info>

            Workers set, get, delete, count and lease some two thousand keys in a segment that is too small for them,
            and one is killed every few milliseconds. Every value carries its key, its generation and a checksum, and
            every get checks all three. The last line says how many were wrong and how many workers hung. The exit code
            is 1 if any, with <info>--alone</info> also if all stood still for 100 ms longer than an idle process, and
            2 if the run was too poor to show anything.
            HELP,
            [
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
                Option::flag('alone', 'Nothing else runs here, so judge how long all workers stood still too'),
                Option::list('faults', 'Fault points, with commas, at which workers also kill themselves (without a'
                    . ' value: all); needs the debug build', self::FAULTS),
                Option::flag('no-recovery', 'Use the lock of a dead process as it is, to see that the check finds it;'
                    . ' needs the debug build'),
            ],
        );
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
        $board = Board::share(self::series($workers));
        $run->atEnd($board->remove(...));
        $plan = new Plan($board->id, $workers, $run->seed(), $run->directory(), $faults);
        if ($run->number('entries') > 0) {
            (new Filling($run->number('entries'), $run->number('namespaces')))->write($plan->directory);
        }
        IdleClock::watch($run, $board);
        $groups = $this->start($run, $plan, $board, $extension, $environment);
        $board->remove();
        $end = $run->begin();
        $board->set('end', $end);
        $wedges = 0;
        $run->watch(
            $end,
            static fn(): string => self::line($board, $run->findings()->count(), $wedges),
            static function (bool $isInTime) use ($run, $board, $groups, &$wedges): bool {
                $wedges += $isInTime
                    ? \count($run->overdue($board, WorkerCount::OperationBegan, self::WEDGED))
                    : 0;
                foreach ($groups as $group => $daemon) {
                    if (!$daemon->isRunning() && hrtime(true) < $board->get('end')) {
                        $run->findings()->add("group $group ended");

                        return false;
                    }
                }

                return true;
            },
        );
        $board->set('end', 1);
        // The group that copies makes the last check once the other one is gone.
        foreach ($groups as $group => $daemon) {
            $run->await(static fn(): bool => !$daemon->isRunning(), self::PATIENCE, "group $group does not end");
            $said = trim((string) @file_get_contents(self::log($plan, $group)));
            $run->check($said === '', "group $group says: $said");
        }
        $info = json_decode((string) @file_get_contents($plan->directory . '/info.json'), true);
        $info = \is_array($info) ? $info : [];
        if ($info !== []) {
            $info['numbers'] = (int) @file_get_contents($plan->directory . self::HITS);
        }

        return self::result(
            $board,
            $wedges,
            $info,
            $run->findings()->all(),
            $run->seconds(),
            $run->has('alone'),
        );
    }

    /** @param list<string> $arguments number of the group, numbers of its workers with commas */
    public function work(Plan $plan, array $arguments): void
    {
        [$group, $numbers] = $arguments + ['0', '0'];
        $filling = Filling::in($plan->directory);
        if ($group === self::FILL) {
            $store = new SharedMemory();
            for ($i = 0; $i < self::KEYS; ++$i) {
                $store->set(MemoryKeys::FILLER . $i, str_repeat('-', self::FILLER_BYTES));
            }
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
     * @param bool                    $isAlone  whether nothing else ran, so that the workers' standstill is the store's
     */
    public static function result(
        Board $board,
        int $wedges,
        array $info,
        array $findings,
        float $seconds,
        bool $isAlone = true,
    ): Result {
        $number = static fn(string $name): int => \is_int($info[$name] ?? null) ? $info[$name] : 0;
        $figures = [];
        foreach (self::INFO as $name) {
            $figures[Result::named($name)] = $number($name);
        }
        $sums = Result::sums($board, [
            WorkerCount::Reads, WorkerCount::Hits, WorkerCount::Rechecks, WorkerCount::Writes, WorkerCount::Refused,
            WorkerCount::Operations, WorkerCount::ForksWhilePinned, GroupCount::KillsFromOutside,
            GroupCount::KillsAtFaultPoints, GroupCount::Ends,
        ]);
        [$gap, $idle] = [$board->max(WorkerCount::Gap) / 1e6, $board->get('idle') / 1e6];
        ['reads' => $reads, 'kills_from_outside' => $kills, 'kills_at_fault_points' => $faults] = $sums;
        $left = $board->sum(GroupCount::BytesLeftAfterClear);
        $wrong = \count($findings);

        return new Result(
            [
                'wrong' => $wrong,
                'wedged' => $wedges,
                ...$sums,
                ...$figures,
                'gap_ms' => round($gap, 1),
                'idle_gap_ms' => round($idle, 1),
                'slowest_operation_ms' => round($board->max(WorkerCount::Slowest) / 1e6, 1),
                'bytes_left_after_clear' => $left,
                'findings' => $findings,
            ],
            \sprintf('wrong: %d, wedged: %d of %d reads, %d kills', $wrong, $wedges, $reads, $kills + $faults),
            $wrong + $wedges === 0
                && (!$isAlone || $gap <= $idle + self::GAP)
                && $left <= self::LEFT
                && $info !== [],
            // A run that hardly killed or read, or never in a lock, has shown nothing.
            $kills >= 20 * $seconds
                && $reads >= 1000 * $seconds
                && $number('recoveries') > 0
                && $number('evictions') > 0,
            'Too few kills, reads, recoveries or evictions to show anything.',
        );
    }

    /**
     * @param array<string, string> $environment
     *
     * @return array<int, Daemon> by group
     */
    private function start(Run $run, Plan $plan, Board $board, Extension $extension, array $environment): array
    {
        $segments = $plan->directory . '/segments';
        mkdir($segments, 0o700);
        $settings = ['larder.name' => 'torture', 'larder.directory' => $segments, 'larder.size' => $run->text('size')];
        // The process that makes the segment passes fault points, after which none can be set any more. So another
        // process makes it, fills it, since a slow machine would hardly do that in a short run, and ends here.
        $fill = $plan->command(self::NAME, $extension, [...$settings, 'larder.share' => '0'], self::FILL);
        exec(implode(' ', array_map(escapeshellarg(...), $fill)) . ' 2>&1', $said, $code);
        $run->check($code === 0, 'the segment is not filled: ' . implode(' ', $said));
        $numbers = array_chunk(range(0, $plan->workers - 1), max(1, (int) ceil($plan->workers / self::GROUPS)));
        $groups = [];
        foreach ($numbers as $group => $of) {
            $settings['larder.share'] = $group === 0 ? '1' : '0';
            $words = $plan->command(self::NAME, $extension, $settings, (string) $group, implode(',', $of));
            $log = self::log($plan, $group);
            $groups[$group] = $daemon = $run->daemon("group $group", $words, $environment, $log);
            $daemon->awaitReady(static fn(): bool => $board->get(GroupCount::Ready, $group) === 1, $log);
        }

        return $groups;
    }

    private static function line(Board $board, int $wrong, int $wedges): string
    {
        return \sprintf(
            '%d wrong, %d wedged, %d reads, %d writes (%d refused), %d kills, %d at fault points, gap %.0f ms'
                . ' (idle %.0f ms)',
            $wrong,
            $wedges,
            $board->sum(WorkerCount::Reads),
            $board->sum(WorkerCount::Writes),
            $board->sum(WorkerCount::Refused),
            $board->sum(GroupCount::KillsFromOutside),
            $board->sum(GroupCount::KillsAtFaultPoints),
            $board->max(WorkerCount::Gap) / 1e6,
            $board->get('idle') / 1e6,
        );
    }

    private static function log(Plan $plan, int $group): string
    {
        return "$plan->directory/group-$group.log";
    }
}
