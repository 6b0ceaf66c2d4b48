<?php

declare(strict_types=1);

namespace Larder\Bench\Run;

use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\InProcess;
use Larder\Testbed\Server\Program;

/**
 * On which processors clients and servers run.
 *
 * Where the scheduler may choose, a client and its server share a processor in one window and have two in the next, and
 * the rate is another by a factor of up to four: no number of windows makes a narrow interval of that. On one processor
 * the figure is steady; what it does not show is the work that client and server do at the same time.
 */
enum Placement: string
{
    case Together = 'together';
    case Apart = 'apart';
    case Floating = 'floating';

    /**
     * The placement of a chart: what its parameter says, else this one. A chart that needs several processors floats in
     * place of "together": several workers, a load that comes at its own pace, or servers that work for each other.
     */
    public function of(Planned $chart): self
    {
        $own = $chart->parameters['placement'] ?? null;
        if (\is_string($own)) {
            return self::tryFrom($own) ?? $this;
        }
        if (!$chart->test->workload instanceof InProcess || Program::find('taskset') === null) {
            return self::Floating;
        }
        $workers = max([1, ...array_map(static fn(Definition $subject): int => $subject->times, $chart->subjects)])
            * max(1, (int) ($chart->parameters['workers'] ?? 1));
        $isPaced = ($chart->parameters['load'] ?? 0) > 0 || ($chart->parameters['writer'] ?? 0) > 0;

        return $this === self::Together && ($workers > 1 || $isPaced) ? self::Floating : $this;
    }

    /** @return list<int> processors of the clients */
    public function clients(): array
    {
        $all = self::processors();

        return match ($this) {
            self::Together => \array_slice($all, -1),
            self::Apart => \array_slice($all, 1) === [] ? $all : \array_slice($all, 1),
            self::Floating => $all,
        };
    }

    /** @return list<int> processors of the servers */
    public function servers(): array
    {
        return match ($this) {
            self::Together => $this->clients(),
            self::Apart => \array_slice(self::processors(), 0, 1),
            self::Floating => self::processors(),
        };
    }

    /** For the report. */
    public function sentence(): string
    {
        return match ($this) {
            self::Together => \sprintf('client and server together on %s', self::named($this->clients())),
            self::Apart => \sprintf(
                'server on %s, client on %s',
                self::named($this->servers()),
                self::named($this->clients()),
            ),
            self::Floating => \sprintf('client and server anywhere on %s', self::named(self::processors())),
        };
    }

    /** @param list<int> $processors */
    private static function named(array $processors): string
    {
        return (\count($processors) === 1 ? 'processor ' : 'processors ') . implode(', ', $processors);
    }

    /** @return list<string> in front of a client's command */
    public function command(): array
    {
        return $this === self::Floating ? [] : ['taskset', '-c', implode(',', $this->clients())];
    }

    /** @return non-empty-list<int> that this process may use */
    private static function processors(): array
    {
        preg_match('/^Cpus_allowed_list:\s*(\S+)/m', (string) @file_get_contents('/proc/self/status'), $match);
        $processors = [];
        foreach (explode(',', $match[1] ?? '0') as $range) {
            [$first, $last] = explode('-', $range . '-' . $range);
            $processors = [...$processors, ...range((int) $first, (int) $last)];
        }

        return $processors;
    }
}
