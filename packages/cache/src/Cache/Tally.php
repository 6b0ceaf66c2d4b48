<?php

declare(strict_types=1);

namespace Larder\Cache;

use Closure;
use Larder\Dependency\Unstored;
use Larder\Dependency\Versions;
use Larder\Metrics\Counters;
use Larder\Metrics\SparingLogger;
use Larder\Outcome;
use Larder\Store;
use Psr\Log\LoggerInterface;
use ReflectionClass;
use Throwable;

/**
 * Makes known what became of requests: to the observer and to what is being made around them at once, to the counters
 * at the end, since these may be a file under a lock.
 *
 * @internal
 */
final class Tally
{
    /**
     * Seconds by which two clocks may differ, and a store may keep a value too long, before that is worth a line in the
     * log.
     */
    private const CLOCKS_APART = 2.0;

    /** Nanoseconds between two lines of one kind in the log. */
    private const BETWEEN_LINES = 1_000_000_000;

    /** Durations that are kept until flush() at most: a worker that never ends must not keep them all. */
    private const DURATIONS = 100;

    /** What the second part of a count's name is the value of. */
    private const LABELS = ['requests' => 'result', 'unstored' => 'cause'];

    /** @var array<string, array<string, int>> by name and value of its label */
    private array $counts = [];

    /** @var list<float> seconds */
    private array $durations = [];

    /** @var array<non-empty-string, string>|null see labels() */
    private ?array $labels = null;

    /** @var array<string, int> when a kind of line was last logged; monotonic nanoseconds */
    private array $logged = [];

    /** @param Closure(): float $now */
    public function __construct(
        private readonly Versions $versions,
        private readonly Counters $counters,
        private readonly ?Observer $observer,
        private readonly ?LoggerInterface $log,
        private readonly Closure $now,
        private readonly Store $store,
    ) {}

    /**
     * The value of an entry, as the answer to a request.
     *
     * @param Event|null $event null: the request is told of by missed(), once the value was made anew
     */
    public function handOut(string $key, Entry $entry, ?Event $event, Options $options): mixed
    {
        $now = ($this->now)();
        $ahead = max(($entry->made ?? $now) - $now, $now - ($entry->keptUntil ?? $now));
        if ($ahead > self::CLOCKS_APART) {
            $this->warn(
                'clocks_apart',
                '',
                'The value of {key} has a time that is {seconds} s off: the clocks of two hosts differ, or a clock '
                    . 'was set. '
                . 'It is kept no longer than ttl + grace all the same.',
                ['key' => $key, 'seconds' => round($ahead, 1)],
            );
        }
        if ($event !== null) {
            $this->request($key, $event, $now, $entry->cost, $options);
        }
        $this->versions->used($entry->stamps, $entry->freshUntil);

        return $entry->value;
    }

    /**
     * There was no value for this request, or it was made.
     *
     * @param float|null $cost seconds that this takes; null: not known
     */
    public function missed(string $key, Event $event, ?float $cost, Options $options): void
    {
        $this->request($key, $event, $this->observer === null ? 0.0 : ($this->now)(), $cost, $options);
    }

    /** The store gave neither a value nor the right to make it. */
    public function unanswered(string $key): void
    {
        $this->warn(
            'unstored',
            'unanswered',
            'The value of {key} is made by each request: the store does not answer. larder doctor asks it why.',
            ['key' => $key],
        );
    }

    /** The store gave no right to make the value, though no other process has it. */
    public function leaseless(string $key): void
    {
        $this->warn(
            'unstored',
            'refused',
            'The value of {key} was not stored: the store gives no lease, since it is full, or its server runs without '
                . 'CAS. larder doctor asks the store.',
            ['key' => $key],
        );
    }

    /** The store did not take a value. */
    public function refused(string $key, Outcome $outcome): void
    {
        $this->warn(
            'unstored',
            'refused',
            'The value of {key} was not stored: it is too large, or the store is full or does not answer. larder '
                . 'doctor asks the store.',
            ['key' => $key, 'outcome' => $outcome->name],
        );
    }

    /** A compute failed that nobody waits for. */
    public function failed(string $key, Throwable $exception): void
    {
        $this->count('failed_refreshes');
        if ($this->log === null) {
            error_log(\sprintf('Larder: the value of "%s" was not made anew: %s', $key, $exception));
        }
        $this->log?->error(
            'The value of {key} was not made anew: {reason}',
            ['key' => $key, 'reason' => $exception->getMessage(), 'exception' => $exception],
        );
    }

    /** A value was handed to the caller that made it, and may not be stored. */
    public function unstored(string $key, Unstored $why, string $refusal): void
    {
        $why->isLasting()
            ? $this->warn(
                'unstored',
                $why->value,
                'The value of {key} was not stored: {reason}.',
                ['key' => $key, 'reason' => $refusal, 'why' => $why->value],
            )
            : $this->count('unstored', label: $why->value);
    }

    /** A compute took so many seconds, if with a value or with an exception. */
    public function took(float $seconds): void
    {
        $this->durations[] = $seconds;
        if (\count($this->durations) >= self::DURATIONS) {
            $this->flushDurations();
        }
    }

    public function count(string $what, int $by = 1, string $label = ''): void
    {
        $this->counts[$what][$label] = ($this->counts[$what][$label] ?? 0) + $by;
    }

    /** @param int $hits that were not counted here */
    public function flush(int $hits): void
    {
        if ($hits > 0) {
            $this->count('requests', $hits, 'hit');
        }
        $store = $this->labels();
        foreach ($this->counts as $what => $counts) {
            foreach ($counts as $label => $count) {
                $labels = isset(self::LABELS[$what]) ? $store + [self::LABELS[$what] => $label] : $store;
                $this->counters->add('larder_cache_' . $what . '_total', $count, $labels);
            }
        }
        $this->counts = [];
        $this->flushDurations();
    }

    private function flushDurations(): void
    {
        foreach ($this->durations as $seconds) {
            $this->counters->observe('larder_cache_compute_duration_seconds', $seconds, $this->labels());
        }
        $this->durations = [];
    }

    /** @return array<non-empty-string, string> the kind of the store as a word: `memcached` for a MemcachedStore */
    private function labels(): array
    {
        if ($this->labels !== null) {
            return $this->labels;
        }
        $class = (new ReflectionClass($this->store))->getShortName();
        $words = strtolower((string) preg_replace('/(?<!^)[A-Z]/', '_$0', $class));

        return $this->labels = ['store' => (string) preg_replace('/_store$/D', '', $words)];
    }

    /** @param float $now any time where there is no observer */
    private function request(string $key, Event $event, float $now, ?float $cost, Options $options): void
    {
        $label = match ($event) {
            Event::Hit => 'hit',
            Event::Stale => 'stale',
            Event::Refresh => 'refresh',
            Event::Miss, Event::Waited => 'miss',
        };
        $this->counts['requests'][$label] = ($this->counts['requests'][$label] ?? 0) + 1;
        $this->observer?->saw($key, $event, $now, $cost, $options->ttl, $options->grace);
    }

    /**
     * Counts it, and logs it at most once a second.
     *
     * @param array<string, mixed> $context
     */
    private function warn(string $what, string $label, string $message, array $context): void
    {
        $this->count($what, label: $label);
        $what .= $label;
        $now = (int) hrtime(true);
        if (!isset($this->logged[$what]) || $now - $this->logged[$what] > self::BETWEEN_LINES) {
            $this->logged[$what] = $now;
            ($this->log ?? new SparingLogger())->warning($message, $context);
        }
    }
}
