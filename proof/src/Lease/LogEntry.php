<?php

declare(strict_types=1);

namespace Larder\Proof\Lease;

/** One entry of the log: a line. */
final readonly class LogEntry
{
    /**
     * @param int    $moment     nanoseconds of the monotonic clock
     * @param float  $time       Unix time
     * @param int    $life       number of the process; 0: the one that runs it all
     * @param int    $key        Restarted: the first one of the store
     * @param string $word       an ending, an outcome, or what was wrong
     * @param float  $seconds    Begun: its ttl, 0.0 for none
     * @param int    $since      nanoseconds. Begun: when the lease was asked for, 0 without one; Deleted: when the call
     *     began; Restarted: when the server was killed
     */
    public function __construct(
        public EventKind $kind,
        public int $moment,
        public float $time,
        public int $key = 0,
        public int $generation = 0,
        public int $life = 0,
        public string $word = '',
        public float $seconds = 0.0,
        public int $since = 0,
    ) {}

    public static function parse(string $entry): ?self
    {
        $parts = json_decode($entry);
        if (!\is_array($parts)) {
            return null;
        }
        [$kind, $moment, $time, $key, $generation, $life, $word, $seconds, $since] = $parts + array_fill(0, 9, null);
        $kind = \is_string($kind) ? EventKind::tryFrom($kind) : null;
        $hasNumbers = \is_int($moment) && \is_float($time) && \is_int($key) && \is_int($generation);
        if ($kind === null || !$hasNumbers || !\is_int($life) || !\is_string($word)) {
            return null;
        }
        if (!\is_float($seconds) || !\is_int($since)) {
            return null;
        }

        return new self($kind, $moment, $time, $key, $generation, $life, $word, $seconds, $since);
    }

    public function text(): string
    {
        $parts = [
            $this->kind->value,
            $this->moment,
            $this->time,
            $this->key,
            $this->generation,
            $this->life,
            $this->word,
            $this->seconds,
            $this->since,
        ];
        $flags = JSON_PRESERVE_ZERO_FRACTION | JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR;

        return json_encode($parts, $flags) . "\n";
    }
}
