<?php

declare(strict_types=1);

namespace Larder\Torture\Client;

use Larder\Testbed\Server\Daemon;
use Larder\Testbed\Process\Extension;
use Larder\Testbed\Process\Findings;
use Closure;

/**
 * Three real memcacheds, a faulty proxy before each, a nursery of workers and a php-fpm, all on the same keys; this process only watches
 * them, and one more looks at nothing but the clock, to tell how long this machine stops by itself.
 */
final class ClientTorture
{
    /** A part of the time after which a process has all it needs; seconds at most. */
    private const WARM = [0.3, 30.0];

    /** Nanoseconds before the end, when all still work. */
    private const LAST_LOOK = 200_000_000;

    private const TELL = 5.0;
    private const ENOUGH = 100;

    /** Microseconds between two looks; one that is late itself accuses nobody. */
    private const LOOK = 100_000;

    /** Nanoseconds that a call may take before it is said to hang while it still does. */
    private const HUNG = 2_000_000_000;

    /** Nanoseconds between two looks at the clock after which the machine has stood still. */
    private const STOOD = 4_000_000;

    /** Seconds that the workers may take to end, and the last look. */
    private const PATIENCE = [10.0, 60.0];

    private readonly Stage $stage;
    private readonly Notes $notes;
    private readonly Findings $findings;
    private readonly Lateness $lateness;
    private readonly int $seats;

    /** @var array<int, int> when the call began that was last found to hang, by seat */
    private array $hung = [];

    /**
     * @param array<string, string> $environment of the processes with the extension
     * @param Closure(string): void $progress    told every five seconds
     */
    public function __construct(
        Extension $extension,
        private readonly int $workers,
        private readonly int $seed,
        array $environment,
        private readonly Closure $progress,
    ) {
        $this->seats = $workers + 1;
        $this->notes = Notes::make((new Keys($this->seats))->places(), $this->seats, Stage::SERVERS);
        $this->stage = new Stage($extension, $environment, $this->notes);
        $this->findings = $this->stage->findings();
        $this->lateness = new Lateness($this->stage->directory);
    }

    public function run(float $seconds): ClientResult
    {
        $this->stage->stopOnSignals();
        try {
            $plan = new Plan($this->notes->id, $this->seats, $this->seed, $this->stage->directory, $this->stage->startServers($this->seed));
            $plan->write($this->stage->directory . '/plan');
            $this->stage->fork($this->idle(...));
            $php = $this->stage->startPhp();
            $growth = new Growth($this->notes, $php);
            $began = (int) hrtime(true);
            $end = $began + (int) ($seconds * 1e9);
            $this->notes->endAt($end);
            $visitor = new Visitor($this->stage->page($php), $this->notes, $this->seats - 1, $this->findings);
            $visiting = $this->stage->fork(fn() => $this->visit($visitor));
            $nursery = $this->stage->startWorkers($this->workers);
            $this->watch($began + (int) (1e9 * min(self::WARM[0] * $seconds, self::WARM[1])), $end, $nursery);
            $growth->lookEarly();
            $this->watch($end - self::LAST_LOOK, $end, $nursery);
            $growth->lookLate();
            $this->watch($end, $end, $nursery);
            $this->notes->endAt(min($end, (int) hrtime(true)));
            $this->await(fn(): bool => !$nursery->isRunning() && $this->stage->isGone($visiting), self::PATIENCE[0], 'the workers do not end');
            $look = $this->stage->startWorkers(0);
            $this->await(static fn(): bool => !$look->isRunning(), self::PATIENCE[1], 'the last look does not end');

            return $this->result($growth);
        } finally {
            $this->stage->stop();
        }
    }

    private function visit(Visitor $visitor): void
    {
        mt_srand($this->seed);
        while (hrtime(true) < $this->notes->end()) {
            $visitor->ask();
        }
    }

    private function watch(int $until, int $end, Daemon $nursery): void
    {
        $told = $looked = microtime(true);
        while (hrtime(true) < $until && $this->findings->count() < self::ENOUGH) {
            usleep(self::LOOK);
            $now = microtime(true);
            if ($now - $looked < 5 * self::LOOK / 1e6) {
                $this->lookForHung();
            }
            $looked = $now;
            if (!$nursery->isRunning() && hrtime(true) < $end) {
                $this->findings->add('the workers are gone: ' . $this->stage->said());

                return;
            }
            if ($now - $told >= self::TELL) {
                $told = $now;
                ($this->progress)($this->line((int) ceil(($end - hrtime(true)) / 1e9)));
            }
        }
    }

    private function lookForHung(): void
    {
        for ($seat = 0; $seat < $this->seats; ++$seat) {
            $began = $this->notes->seat($seat, Note::Began);
            if ($began > 0 && hrtime(true) - $began > self::HUNG && ($this->hung[$seat] ?? 0) !== $began) {
                $this->hung[$seat] = $began;
                $this->lateness->called("still under way on seat $seat", $began, (int) hrtime(true), self::HUNG);
            }
        }
    }

    private function line(int $left): string
    {
        return \sprintf(
            '%d wrong, %d requests, %d hits, %d writes (%d unknown, %d refused), %d kills, %d pages (%d aborted), %d faults, %.0f ms late (idle %.0f ms), %d s left',
            $this->findings->count(),
            ...array_map($this->notes->sum(...), [Note::Calls, Note::Hits, Note::Writes, Note::Unknown, Note::Refused, Note::Kills]),
            ...[$this->notes->seat($this->seats - 1, Note::Lives), $this->notes->sum(Note::Aborts), $this->notes->allFaults()],
            ...[$this->notes->longest(Note::Late) / 1e6, $this->notes->idle() / 1e6, $left],
        );
    }

    private function result(Growth $growth): ClientResult
    {
        foreach ($growth->lost() as $name) {
            $this->findings->add("the $name that nobody kills did not live all the time");
        }
        if ($this->stage->said() !== '') {
            $this->findings->add('the workers say: ' . $this->stage->said());
        }
        $faults = [];
        foreach (Fault::cases() as $fault) {
            $faults[$fault->name] = $this->notes->faults($fault);
        }

        return new ClientResult(
            ...array_map($this->notes->sum(...), [Note::Calls, Note::Keys, Note::Hits, Note::Writes, Note::Done, Note::Unknown, Note::Refused, Note::Kills]),
            ...[
                'pages' => $this->notes->seat($this->seats - 1, Note::Lives),
                'aborts' => $this->notes->sum(Note::Aborts),
                'faults' => $faults,
                'slowest' => $this->notes->longest(Note::Late) / 1e6,
                'idle' => $this->notes->idle() / 1e6,
                'processes' => $growth->seen(),
                'late' => $this->lateness->tooLong(),
                'findings' => $this->findings->all(),
            ],
        );
    }

    private function idle(): void
    {
        $parent = posix_getppid();
        $last = (int) hrtime(true);
        while (posix_getppid() === $parent) {
            usleep(1000);
            $now = (int) hrtime(true);
            if ($now - $last > self::STOOD) {
                $this->lateness->stood($last, $now);
            }
            if ($this->notes->end() > $now && $now - $last > $this->notes->idle()) {
                $this->notes->noteIdle($now - $last);
            }
            $last = $now;
        }
    }

    /** @param Closure(): bool $done */
    private function await(Closure $done, float $patience, string $otherwise): void
    {
        $deadline = microtime(true) + $patience;
        while (!$done()) {
            if (microtime(true) > $deadline) {
                $this->findings->add($otherwise);

                return;
            }
            usleep(10_000);
        }
    }
}
