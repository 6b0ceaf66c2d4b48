<?php

declare(strict_types=1);

namespace Larder\Torture\Memory;

use Larder\Testbed\Process\Findings;
use Larder\Testbed\Process\Extension;
use Larder\Testbed\Server\Daemon;
use Larder\Testbed\Server\Scratch;
use Closure;

/**
 * Two nurseries of workers on one named segment, one that shares and one that copies; this process only watches them, and a
 * third looks at nothing but the clock, to tell how long this machine stops by itself.
 */
final class MemoryTorture
{
    public const KEYS = 2000;

    /** Nanoseconds after which an operation is wedged. */
    private const WEDGED = 2_000_000_000;

    /** Microseconds between two looks; one that is late itself accuses nobody. */
    private const LOOK = 100_000;

    /** So many findings are enough. */
    private const ENOUGH = 100;

    private const TELL = 5.0;

    /** Seconds that the last look may take after the end. */
    private const PATIENCE = 20.0;

    private readonly Scratch $scratch;
    private readonly Board $board;
    private readonly Findings $findings;

    /** @var array<int, Daemon> by house */
    private array $nurseries = [];

    private int $idle = 0;

    /** @var array<int, int> when the operation began that was last found wedged, by seat */
    private array $wedged = [];

    private int $wedges = 0;

    /**
     * @param list<string>          $faults
     * @param array<string, string> $environment further variables of the workers
     * @param Closure(string): void $progress    told every five seconds
     */
    public function __construct(
        private readonly Extension $extension,
        private readonly int $workers,
        private readonly string $size,
        private readonly int $seed,
        private readonly array $faults,
        private readonly array $environment,
        private readonly Closure $progress,
    ) {
        $this->scratch = Scratch::in(is_writable('/dev/shm') ? '/dev/shm' : sys_get_temp_dir(), 'larder-torture');
        $this->board = Board::make(self::KEYS, $workers);
        $this->findings = new Findings($this->scratch->path . '/wrong');
    }

    public function run(float $seconds): MemoryResult
    {
        $this->stopOnSignals();
        try {
            $this->start();
            $end = hrtime(true) + (int) ($seconds * 1e9);
            $this->board->noteHouse(0, House::End, $end);
            $this->watch($end);
            $this->board->noteHouse(0, House::End, 1);
            $this->awaitEnd();

            return $this->result();
        } finally {
            $this->stop();
        }
    }

    private function start(): void
    {
        mkdir($this->scratch->path . '/segments', 0o700);
        // Made by a process that is gone: whoever makes it passes fault points, after which none can be set any more.
        exec(implode(' ', array_map(escapeshellarg(...), [...$this->php(false), '-r', ''])));
        $plan = new Plan($this->board->id, self::KEYS, $this->workers, $this->seed, $this->scratch->path, $this->faults);
        $plan->write($this->scratch->path . '/plan');
        $this->idle = $this->forkIdle();
        $shared = intdiv($this->workers, 2);
        $this->nursery(1, range(0, $shared - 1), true);
        $this->nursery(2, range($shared, $this->workers - 1), false);
        $this->board->remove();
    }

    /** @param list<int> $seats */
    private function nursery(int $house, array $seats, bool $shares): void
    {
        $command = [...$this->php($shares), \Larder\Torture\TortureCommand::script(), 'memory:workers', $this->scratch->path . '/plan', (string) $house, implode(',', $seats)];
        $log = $this->scratch->path . '/nursery-' . $house . '.log';
        $this->nurseries[$house] = new Daemon('the nursery', $command, ['PATH' => (string) getenv('PATH'), ...$this->environment], $log);
        $this->nurseries[$house]->awaitReady(fn(): bool => $this->board->house($house, House::Ready) === 1, $log);
    }

    /** @return non-empty-list<string> on the run's segment */
    private function php(bool $shares): array
    {
        return $this->extension->barePhp([
            'larder.name' => 'torture',
            'larder.directory' => $this->scratch->path . '/segments',
            'larder.size' => $this->size,
            'larder.share' => $shares ? '1' : '0',
        ]);
    }

    private function watch(int $end): void
    {
        $told = $looked = microtime(true);
        while (hrtime(true) < $end && $this->findings->count() < self::ENOUGH && $this->areRunning()) {
            usleep(self::LOOK);
            $now = microtime(true);
            if ($now - $looked < 5 * self::LOOK / 1e6) {
                $this->lookForWedges();
            }
            $looked = $now;
            if ($now - $told >= self::TELL) {
                $told = $now;
                ($this->progress)($this->line((int) ceil(($end - hrtime(true)) / 1e9)));
            }
        }
    }

    private function lookForWedges(): void
    {
        foreach (range(0, $this->workers - 1) as $seat) {
            $began = $this->board->seat($seat, Seat::Operation);
            if ($began > 0 && hrtime(true) - $began > self::WEDGED && ($this->wedged[$seat] ?? 0) !== $began) {
                $this->wedged[$seat] = $began;
                ++$this->wedges;
            }
        }
    }

    private function areRunning(): bool
    {
        foreach ($this->nurseries as $house => $nursery) {
            if (!$nursery->isRunning() && $this->board->house(0, House::End) > hrtime(true)) {
                $this->findings->add(\sprintf('nursery %d ended: %s', $house, $this->log($house)));

                return false;
            }
        }

        return true;
    }

    /** The nursery that copies takes the last look once the other one is gone. */
    private function awaitEnd(): void
    {
        foreach ($this->nurseries as $house => $nursery) {
            $deadline = microtime(true) + self::PATIENCE;
            while ($nursery->isRunning() && microtime(true) < $deadline) {
                usleep(10_000);
            }
            if ($nursery->isRunning()) {
                $this->findings->add("nursery $house does not end");
            }
            if ($this->log($house) !== '') {
                $this->findings->add("nursery $house says: " . $this->log($house));
            }
        }
    }

    private function result(): MemoryResult
    {
        $info = @file_get_contents($this->scratch->path . '/info.json');
        $info = $info === false ? [] : json_decode($info, true);

        return new MemoryResult(
            reads: $this->board->sum(Seat::Reads),
            hits: $this->board->sum(Seat::Hits),
            rechecks: $this->board->sum(Seat::Rechecks),
            writes: $this->board->sum(Seat::Writes),
            refused: $this->board->sum(Seat::Refused),
            forks: $this->board->sum(Seat::Forks),
            operations: $this->board->sum(Seat::Operations),
            kills: $this->board->total(House::Kills),
            faults: $this->board->total(House::Faults),
            ends: $this->board->total(House::Ends),
            wedges: $this->wedges,
            gap: $this->board->longest(Seat::Gap) / 1e6,
            idleGap: $this->board->house(0, House::Idle) / 1e6,
            slowest: $this->board->longest(Seat::Slowest) / 1e6,
            left: $this->board->total(House::Left),
            info: \is_array($info) ? $info : [],
            findings: $this->findings->all(),
        );
    }

    private function line(int $left): string
    {
        return \sprintf(
            '%d wrong, %d wedged, %d reads, %d writes (%d refused), %d kills, %d at fault points, gap %.0f ms (idle %.0f ms), %d s left',
            $this->findings->count(),
            $this->wedges,
            $this->board->sum(Seat::Reads),
            $this->board->sum(Seat::Writes),
            $this->board->sum(Seat::Refused),
            $this->board->total(House::Kills),
            $this->board->total(House::Faults),
            $this->board->longest(Seat::Gap) / 1e6,
            $this->board->house(0, House::Idle) / 1e6,
            $left,
        );
    }

    private function log(int $house): string
    {
        return trim((string) @file_get_contents($this->scratch->path . '/nursery-' . $house . '.log'));
    }

    private function forkIdle(): int
    {
        $parent = getmypid();
        $child = pcntl_fork();
        if ($child !== 0) {
            return $child;
        }
        $last = hrtime(true);
        while (posix_getppid() === $parent) {
            usleep(1000);
            $now = hrtime(true);
            if ($this->board->house(0, House::End) > $now && $now - $last > $this->board->house(0, House::Idle)) {
                $this->board->noteHouse(0, House::Idle, $now - $last);
            }
            $last = $now;
        }
        posix_kill((int) getmypid(), SIGKILL);
        exit(1);
    }

    private function stopOnSignals(): void
    {
        pcntl_async_signals(true);
        foreach ([SIGINT, SIGTERM, SIGHUP] as $signal) {
            pcntl_signal($signal, function (int $signal): never {
                $this->stop();
                exit(128 + $signal);
            });
        }
    }

    private function stop(): void
    {
        foreach ($this->nurseries as $nursery) {
            $nursery->stop();
        }
        $this->nurseries = [];
        if ($this->idle > 0) {
            posix_kill($this->idle, SIGKILL);
            pcntl_waitpid($this->idle, $status);
            $this->idle = 0;
        }
        $this->board->remove();
        $this->scratch->remove();
    }
}
