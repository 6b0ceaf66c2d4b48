<?php

declare(strict_types=1);

namespace Larder\Torture\Client;

/** What came of one run; times are milliseconds. */
final readonly class ClientResult
{
    /** KB that a process may still grow once it is warm. */
    private const GROWTH = 3072;

    /** Sockets to each server, of two pools; a few that belong to no pool. */
    private const DESCRIPTORS = 2;

    /**
     * @param array<string, int> $faults   by name
     * @param array<string, array{early: array{int, int}, late: array{int, int}}> $processes long-lived ones: KB and descriptors, early and at the end
     * @param list<string>       $late     calls that went on for too long
     * @param list<string>       $findings what was wrong
     */
    public function __construct(
        public int $calls,
        public int $keys,
        public int $hits,
        public int $writes,
        public int $done,
        public int $unknown,
        public int $refused,
        public int $kills,
        public int $pages,
        public int $aborts,
        public array $faults,
        public float $slowest,
        public float $idle,
        public array $processes,
        public array $late,
        public array $findings,
    ) {}

    public function isClean(): bool
    {
        return $this->findings === [] && $this->late === [] && !$this->hasGrown();
    }

    /** A run in which little was asked, or little went wrong, has shown nothing. */
    public function shows(float $seconds): bool
    {
        return $this->calls >= 500 * $seconds && $this->hits >= 500 * $seconds && $this->kills >= $seconds && $this->aborts > 0 && !\in_array(0, $this->faults, true)
            && $this->unknown > 0 && \count($this->processes) > 1;
    }

    public function line(): string
    {
        return \sprintf('wrong: %d, hung: %d of %d requests, %d faults', \count($this->findings), \count($this->late), $this->calls, array_sum($this->faults));
    }

    /** @return array<string, int|float|list<string>> */
    public function toArray(): array
    {
        $grown = [];
        foreach ($this->processes as $name => ['early' => [$kilobytes, $descriptors], 'late' => [$kilobytesLate, $descriptorsLate]]) {
            $name = strtr($name, '-', '_');
            $grown[$name . '_kb_early'] = $kilobytes;
            $grown[$name . '_kb_late'] = $kilobytesLate;
            $grown[$name . '_descriptors_early'] = $descriptors;
            $grown[$name . '_descriptors_late'] = $descriptorsLate;
        }
        $faults = [];
        foreach ($this->faults as $name => $number) {
            $faults['fault_' . strtolower((string) preg_replace('/(?<!^)[A-Z]/', '_$0', $name))] = $number;
        }

        return [
            'wrong' => \count($this->findings),
            'hung' => \count($this->late),
            'requests' => $this->calls,
            'keys_read' => $this->keys,
            'hits' => $this->hits,
            'writes' => $this->writes,
            'done' => $this->done,
            'unknown' => $this->unknown,
            'refused' => $this->refused,
            'kills' => $this->kills,
            'pages' => $this->pages,
            'pages_aborted' => $this->aborts,
            'faults' => array_sum($this->faults),
            ...$faults,
            'slowest_over_deadline_ms' => round($this->slowest, 1),
            'idle_gap_ms' => round($this->idle, 1),
            ...$grown,
            'calls_too_long' => $this->late,
            'findings' => $this->findings,
        ];
    }

    private function hasGrown(): bool
    {
        foreach ($this->processes as ['early' => [$kilobytes, $descriptors], 'late' => [$kilobytesLate, $descriptorsLate]]) {
            if ($kilobytesLate - $kilobytes > self::GROWTH || $descriptorsLate - $descriptors > self::DESCRIPTORS) {
                return true;
            }
        }

        return false;
    }
}
