<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

use Larder\Testbed\Server\Scratch;
use Larder\Testbed\Process\Findings;
use Closure;

/** Readers and writers on one setting after the other, each with a store and a database of its own. */
final class ValuesTorture
{
    private const ROWS = 60;
    private const READERS = 3;
    private const WRITERS = 3;

    /** Seconds between two restarts of a server, but two in each slice at least. */
    private const RESTART = 1.5;

    private const SIGNALS = [SIGINT, SIGTERM, SIGHUP];

    private readonly Scratch $scratch;

    private ?Shelf $shelf = null;

    private ?Nursery $nursery = null;

    /**
     * @param non-empty-list<Setting> $settings
     * @param Closure(string): void   $progress
     */
    public function __construct(
        private readonly array $settings,
        private readonly int $seed,
        private readonly Broken $broken,
        private readonly Closure $progress,
    ) {
        $this->scratch = Scratch::in(is_dir('/dev/shm') ? '/dev/shm' : sys_get_temp_dir(), 'larder-values');
    }

    public function run(float $seconds): ValuesResult
    {
        pcntl_async_signals(true);
        foreach (self::SIGNALS as $signal) {
            pcntl_signal($signal, function (int $signal): never {
                $this->stop();
                exit(128 + $signal);
            });
        }
        $slices = [];
        foreach ($this->settings as $setting) {
            foreach ($setting->phases() as $phase) {
                $slices[] = [$setting, $phase];
            }
        }
        $findings = new Findings($this->scratch->path . '/wrong');
        $counts = [];
        $restarts = 0;
        try {
            foreach ($slices as $i => [$setting, $phase]) {
                $directory = $this->scratch->path . '/' . $i;
                mkdir($directory);
                $shelf = $this->shelf = new Shelf($setting, $directory);
                $shelf->start();
                $slice = new Slice($setting, $phase, $this->broken, $shelf, new Database($directory), Score::make(self::ROWS, self::READERS + self::WRITERS + 1), $findings);
                $restarts += $this->slice($slice, $seconds / \count($slices), $this->seed + 1_000_000 * $i);
                $counts[$setting->name . ', ' . $phase->value] = $slice->score->counts();
                ($this->progress)($this->line($slice));
                $this->stop();
            }
        } finally {
            $this->stop();
        }

        return new ValuesResult($counts, $restarts, $findings->all());
    }

    /** @return int how often the server was restarted */
    private function slice(Slice $slice, float $seconds, int $seed): int
    {
        foreach ([0, 1] as $host) {
            $slice->shelf->open($host)->clear();
        }
        $slice->database->make(self::ROWS);
        $slice->score->endAt((int) (hrtime(true) + $seconds * 1e9));
        $work = [
            ...array_fill(0, self::READERS, static fn(int $seat) => (new Reader($slice, $seat))->work()),
            ...array_fill(0, self::WRITERS, static fn(int $seat) => (new Writer($slice, $seat))->work()),
        ];
        if ($slice->phase !== Phase::Deaths) {
            $work[] = static fn(int $seat) => (new Meddler($slice, $seat))->work();
        }
        $restarts = 0;
        $pause = (int) (min(self::RESTART, $seconds / 3) * 1e9);
        $due = hrtime(true) + $pause;
        $this->nursery = new Nursery($slice, $seed, $work);
        $this->nursery->run(static function () use ($slice, $pause, &$restarts, &$due): void {
            if ($slice->phase !== Phase::Deaths && hrtime(true) > $due) {
                $due = hrtime(true) + $pause;
                $restarts += (int) $slice->shelf->restart();
            }
        });
        $this->nursery = null;

        return $restarts;
    }

    private function line(Slice $slice): string
    {
        $counts = $slice->score->counts();
        $line = \sprintf(
            '%-15s %-6s %d stale of %d reads (%d %% hits), %d changes (%d rolled back), %d kills, %d losses',
            $slice->setting->name,
            $slice->phase->value,
            $counts[Count::Stale->value],
            $counts[Count::Reads->value],
            intdiv(100 * $counts[Count::Hits->value], max(1, $counts[Count::Reads->value])),
            $counts[Count::Changes->value],
            $counts[Count::Failed->value],
            $counts[Count::Kills->value],
            $counts[Count::Losses->value],
        );

        return $slice->setting->lag > 0.0 ? \sprintf('%s, at most %.1f ms old', $line, $counts[Count::Longest->value] / 1e6) : $line;
    }

    private function stop(): void
    {
        $this->nursery?->killAll();
        $this->shelf?->stop();
        $this->shelf = null;
    }
}
