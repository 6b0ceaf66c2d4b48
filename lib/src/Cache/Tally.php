<?php

declare(strict_types=1);

namespace Larder\Cache;

use Larder\Metrics\Counters;
use Psr\Log\LoggerInterface;

/**
 * Counts what became of requests, and tells it: an observer at once, the counters at the end, since they may be a file under a lock.
 *
 * @internal
 */
final class Tally
{
    /** Nanoseconds between two lines of one kind in the log. */
    private const BETWEEN_LINES = 1_000_000_000;

    /** @var array<string, int> */
    private array $counts = [];

    /** @var array<string, int> when a kind of line was last logged; monotonic nanoseconds */
    private array $logged = [];

    public function __construct(
        private readonly Counters $counters,
        private readonly ?Observer $observer,
        private readonly ?LoggerInterface $log,
    ) {}

    /** One request for a value has ended. */
    public function request(string $key, Event $event, float $now, ?float $cost, Terms $terms): void
    {
        $this->count(match ($event) {
            Event::Hit => 'hits',
            Event::Stale => 'stale',
            Event::Refresh => 'refreshes',
            Event::Miss, Event::Waited => 'misses',
        });
        $this->observer?->saw($key, $event, $now, $cost, $terms->ttl, $terms->grace);
    }

    public function count(string $what, int $by = 1): void
    {
        $this->counts[$what] = ($this->counts[$what] ?? 0) + $by;
    }

    /**
     * Counts it, and logs it at most once a second.
     *
     * @param array<string, mixed> $context
     */
    public function warn(string $what, string $message, array $context): void
    {
        $this->count($what);
        $now = (int) hrtime(true);
        if ($this->log !== null && (!isset($this->logged[$what]) || $now - $this->logged[$what] > self::BETWEEN_LINES)) {
            $this->logged[$what] = $now;
            $this->log->warning($message, $context);
        }
    }

    /** @param int $hits that were not counted here */
    public function flush(int $hits): void
    {
        if ($hits > 0) {
            $this->count('hits', $hits);
        }
        foreach ($this->counts as $what => $count) {
            $this->counters->add('larder_cache_' . $what . '_total', $count);
        }
        $this->counts = [];
    }
}
