<?php

declare(strict_types=1);

namespace Larder\Tests\Cache;

use Closure;
use DateTimeImmutable;
use Fiber;
use Larder\Cache\MonotonicClock;
use Throwable;

/**
 * Processes that run in turn, and the clock of all of them: time passes only while each of them sleeps, and nothing
 * but what happens first decides who is next.
 */
final class VirtualProcesses implements MonotonicClock
{
    private const BEGIN = 1_000_000.0;

    /** Seconds after which a process that is not done will never be. */
    private const PATIENCE = 1000.0;

    private float $seconds = 0.0;

    /** @var list<array{float, Fiber<mixed, mixed, mixed, mixed>}> when each begins */
    private array $started = [];

    /** @var list<string> what was noted, in the order in which it happened */
    public array $notes = [];

    public function now(): DateTimeImmutable
    {
        return new DateTimeImmutable('@' . \sprintf('%.6F', self::BEGIN + $this->seconds));
    }

    public function nanoseconds(): int
    {
        return (int) ($this->seconds * 1e9);
    }

    public function sleep(int $microseconds): void
    {
        Fiber::suspend($this->seconds + $microseconds / 1e6);
    }

    public function note(string $what): void
    {
        $this->notes[] = $what;
    }

    /** @return int how many times it was noted */
    public function count(string $what): int
    {
        return array_count_values($this->notes)[$what] ?? 0;
    }

    /** @param Closure(): mixed $process */
    public function start(Closure $process, float $at = 0.0): void
    {
        $this->started[] = [$at, new Fiber($process)];
    }

    /** @return list<array{float, mixed}> of each process the seconds that it ran, and what it returned or threw */
    public function run(): array
    {
        $ends = [];
        $wakes = array_column($this->started, 0);
        while ($wakes !== []) {
            asort($wakes);
            $number = array_key_first($wakes);
            $this->seconds = max($this->seconds, $wakes[$number]);
            [$begin, $fiber] = $this->started[$number];
            unset($wakes[$number]);
            try {
                $wake = $fiber->isStarted() ? $fiber->resume() : $fiber->start();
                $result = $fiber->isTerminated() ? $fiber->getReturn() : null;
            } catch (Throwable $exception) {
                $result = $exception;
            }
            if ($fiber->isTerminated()) {
                $ends[$number] = [$this->seconds - $begin, $result];
            } elseif ($this->seconds < self::PATIENCE) {
                $wakes[$number] = \is_float($wake ?? null) ? $wake : 0.0;
            } else {
                $ends[$number] = [INF, 'never'];
            }
        }
        ksort($ends);

        return array_values($ends);
    }
}
