<?php

declare(strict_types=1);

namespace Larder\Proof;

use Closure;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Findings;
use Larder\Testbed\Process\WorkerPool;
use Larder\Testbed\Server\Daemon;
use Larder\Testbed\TemporaryDirectory;
use LogicException;
use UnitEnum;

/** One run of a program: the values of its options, where it tells how far it is, and what has to end with it. */
final class Run
{
    /** Nanoseconds between two lines about how far the run is. */
    private const TELL = 5_000_000_000;

    /** Microseconds between two looks. */
    private const LOOK = 100_000;

    /** Nanoseconds after which a look is late itself, and accuses no worker. */
    private const LATE = 500_000_000;

    /** Findings after which a run ends. */
    public const ENOUGH = 100;

    private ?TemporaryDirectory $scratch = null;

    /** When the run is over, in nanoseconds of hrtime(). */
    private int $end = PHP_INT_MAX;

    /** @var array<string, array<int, int>> when operations began that took too long, by series and worker */
    private array $overdue = [];

    /** @var list<Closure(): mixed> what ends the processes of the run, in the order of their starts */
    private array $stops = [];

    /** A fork has this object too, and must not end what is its parent's. */
    private readonly int $owner;

    /**
     * @param array<string, int|string|bool|list<string>> $values by option
     * @param Closure(string): void                       $tell
     */
    public function __construct(
        private readonly array $values,
        private readonly Closure $tell,
    ) {
        $this->owner = (int) getmypid();
    }

    public function number(string $option): int
    {
        return \is_int($number = $this->values[$option] ?? null) ? $number : throw self::unknown($option);
    }

    public function text(string $option): string
    {
        return \is_string($text = $this->values[$option] ?? null) ? $text : throw self::unknown($option);
    }

    public function has(string $option): bool
    {
        return \is_bool($flag = $this->values[$option] ?? null) ? $flag : throw self::unknown($option);
    }

    /** @return list<string> */
    public function words(string $option): array
    {
        return \is_array($words = $this->values[$option] ?? null) ? $words : throw self::unknown($option);
    }

    /** @return string|null file; null: the one that tools/extension builds */
    public function extension(): ?string
    {
        $file = $this->values['extension'] ?? '';

        return \is_string($file) && $file !== '' ? $file : null;
    }

    public function seconds(): int
    {
        return $this->number('seconds');
    }

    public function seed(): int
    {
        return $this->number('seed');
    }

    public function hasSeed(): bool
    {
        return isset($this->values['seed']);
    }

    public function tell(string $line): void
    {
        ($this->tell)($line);
    }

    /** @param bool $onDisk of the first call: whether it lies in the system's directory, and not in memory */
    public function directory(bool $onDisk = false): string
    {
        return ($this->scratch ??= new TemporaryDirectory('larder-torture', $onDisk ? sys_get_temp_dir() : null))->path;
    }

    public function findings(): Findings
    {
        return new Findings($this->directory() . '/wrong');
    }

    public function check(bool $right, string $otherwise): void
    {
        if (!$right) {
            $this->findings()->add($otherwise);
        }
    }

    /** @param Closure(): mixed $stop ends what was started just now */
    public function atEnd(Closure $stop): void
    {
        $this->stops[] = $stop;
    }

    /**
     * @param Closure(int, int): mixed       $work   gets number and life
     * @param (Closure(int, int): void)|null $before runs just before each fork
     */
    public function pool(Closure $work, int $seed = 1, ?Closure $before = null): WorkerPool
    {
        $pool = new WorkerPool($work, $seed, $before);
        $this->stops[] = $pool->killAll(...);

        return $pool;
    }

    /**
     * @param non-empty-list<string> $command
     * @param array<string, string>  $environment beside PATH
     * @param string                 $log         file for what it prints
     */
    public function daemon(string $name, array $command, array $environment, string $log): Daemon
    {
        $daemon = new Daemon($name, $command, $environment + ['PATH' => (string) getenv('PATH')], $log);
        $this->stops[] = $daemon->stop(...);

        return $daemon;
    }

    /** Waits for workers. Why one did not come to its end is a finding. */
    public function finish(WorkerPool $pool, float $seconds, string $who): void
    {
        foreach ($pool->end($seconds) as $end) {
            $this->check($end->finished, "$who " . $end->reason());
        }
    }

    /** @param Closure(): bool $done */
    public function await(Closure $done, float $seconds, string $otherwise): void
    {
        $deadline = hrtime(true) + $seconds * 1e9;
        while (!$done()) {
            if (hrtime(true) > $deadline) {
                $this->findings()->add($otherwise);

                return;
            }
            usleep(10_000);
        }
    }

    /** @return int when the run that begins now is over, in nanoseconds of hrtime() */
    public function begin(): int
    {
        return $this->end = (int) (hrtime(true) + $this->seconds() * 1e9);
    }

    /**
     * Waits, but not after a hundred findings, and tells how far the run is.
     *
     * @param int                        $until nanoseconds of hrtime()
     * @param Closure(): string          $line
     * @param (Closure(bool): bool)|null $look  gets whether the look comes in time; false: waiting is in vain
     */
    public function watch(int $until, Closure $line, ?Closure $look = null): void
    {
        $told = $looked = (int) hrtime(true);
        while (($now = (int) hrtime(true)) < $until && $this->findings()->count() < self::ENOUGH) {
            if ($look !== null && !$look($now - $looked < self::LATE)) {
                return;
            }
            $looked = $now;
            if ($now - $told >= self::TELL) {
                $told = $now;
                $this->tell(\sprintf('%s, %d s left', $line(), (int) ceil(($this->end - $now) / 1e9)));
            }
            usleep(max(0, min(self::LOOK, intdiv($until - (int) hrtime(true), 1000))));
        }
    }

    /**
     * Operations that take too long, each told once.
     *
     * @param UnitEnum $began where each worker notes when its operation began; 0: there is none
     * @param int      $limit nanoseconds
     *
     * @return array<int, int> when they began, by worker
     */
    public function overdue(Board $board, UnitEnum $began, int $limit): array
    {
        $now = (int) hrtime(true);
        $long = array_filter($board->all($began), static fn(int $since): bool => $since > 0 && $now - $since > $limit);
        $known = $this->overdue[$began->name] ?? [];
        $this->overdue[$began->name] = $long + $known;

        return array_diff_assoc($long, $known);
    }

    /** Ends what was started, the last first. */
    public function stop(): void
    {
        foreach ($this->owner === getmypid() ? array_reverse($this->stops) : [] as $stop) {
            $stop();
        }
        $this->stops = [];
    }

    /** Ends what was started, and removes the directory. */
    public function end(): void
    {
        $this->stop();
        if ($this->owner === getmypid()) {
            $this->scratch?->remove();
        }
    }

    private static function unknown(string $option): LogicException
    {
        return new LogicException("The program has no option --$option of this type.");
    }
}
