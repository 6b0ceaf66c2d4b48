<?php

declare(strict_types=1);

namespace Larder\Follow;

/**
 * @internal What a follower tells of itself in its directory, for `larder follow --status`, Prometheus and the
 * dashboard.
 */
final readonly class Status
{
    /** @param array<string, mixed> $values */
    private function __construct(
        public bool $isRunning,
        private array $values,
    ) {}

    /** @param string $directory `Followed::$state` */
    public static function of(string $directory): self
    {
        $state = new State($directory);

        return new self($state->isRunning(), $state->status());
    }

    /**
     * @param float $now seconds, by the clock of the day
     *
     * @return array<string, mixed> `running` and `well` first; `sign_age` in seconds, null: no sign came back
     */
    public function values(float $now): array
    {
        return ['running' => $this->isRunning, 'well' => $this->isWell($now), 'sign_age' => $this->age($now)]
            + $this->values;
    }

    /**
     * Whether it runs, has not failed since its last sign, and that is no older than rows may be handed out after it.
     * A follower that is stopped, or waits for ever, holds its lock like any other.
     *
     * @param float $now seconds, by the clock of the day
     */
    public function isWell(float $now): bool
    {
        $age = $this->age($now);

        return $this->isRunning && ($this->values['failure'] ?? null) === null && $age !== null
            && $age <= ($this->number('max_lag') ?? 0.0);
    }

    /** @return float|null seconds since the last of its own signs was sent that came back; null: none did */
    public function age(float $now): ?float
    {
        $at = $this->number('at');
        $lag = $this->number('lag');

        return $at === null || $lag === null ? null : max(0.0, $now - $at) + $lag;
    }

    /** @return array<string, int|float> by series, as Larder\Metrics\PrometheusText takes them */
    public function series(float $now): array
    {
        $series = ['larder_follow_up' => $this->isWell($now) ? 1 : 0];
        $totals = [
            'work' => 'larder_follow_work_total', 'rows' => 'larder_follow_rows_total',
            'names' => 'larder_follow_names_total', 'everything' => 'larder_follow_everything_total',
            'failures' => 'larder_follow_failures_total',
        ];
        foreach ($totals as $key => $name) {
            $series[$name] = (int) $this->number($key);
        }
        $gauges = [
            'larder_follow_lag_seconds' => $this->number('lag'),
            'larder_follow_sign_age_seconds' => $this->age($now),
        ];
        $position = $this->values['position'] ?? null;
        if (\is_string($position) && preg_match('/^([\x21-\x7e]+):(\d{1,20})(?: |$)/', $position, $parts) === 1) {
            $file = addcslashes($parts[1], '"\\');
            $gauges["larder_follow_position_bytes{file=\"$file\"}"] = (int) $parts[2];
        }

        return $series + array_filter($gauges, static fn(int|float|null $number): bool => $number !== null);
    }

    private function number(string $key): ?float
    {
        $number = $this->values[$key] ?? null;

        return is_numeric($number) ? (float) $number : null;
    }
}
