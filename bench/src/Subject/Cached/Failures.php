<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Cached;

use Larder\Bench\Exception\Failed;
use Larder\Metrics\Counters;
use Psr\Log\AbstractLogger;
use Psr\Log\LogLevel;
use Stringable;

/**
 * Hears of what a cache bears in silence: to its caller a server that is gone is a miss, to the bench it is a failure.
 */
final class Failures extends AbstractLogger implements Counters
{
    private const HARMLESS = [LogLevel::DEBUG, LogLevel::INFO, LogLevel::NOTICE];

    private ?string $last = null;

    public function log($level, string|Stringable $message, array $context = []): void
    {
        if (!\in_array($level, self::HARMLESS, true)) {
            $this->last = (string) $message;
        }
    }

    /** What a cache counts else is no failure. */
    public function add(string $name, int $by = 1, array $labels = []): void
    {
        if ($name === 'larder_store_failures_total') {
            $this->last = implode(' ', $labels);
        }
    }

    public function observe(string $name, float $seconds, array $labels = []): void {}

    public function all(): array
    {
        return [];
    }

    /** @throws Failed with what was heard of last since it was asked last */
    public function mustBeNone(string $call, string $key): void
    {
        if ($this->last !== null) {
            $last = $this->last;
            $this->last = null;

            throw Failed::during($call, $key, $last);
        }
    }
}
