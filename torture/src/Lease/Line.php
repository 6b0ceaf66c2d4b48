<?php

declare(strict_types=1);

namespace Larder\Torture\Lease;

/** One line of the diary. */
final readonly class Line
{
    /**
     * @param int    $moment     nanoseconds of the monotonic clock
     * @param float  $time       Unix time
     * @param int    $life       number of the process; 0: the one that runs it all
     * @param string $word       a fate, an outcome, or what was wrong
     * @param float  $seconds    Begun: its ttl, 0.0 for none
     * @param int    $since      Begun: when the lease was asked for, 0 without one; Deleted: when the call began; nanoseconds
     */
    public function __construct(
        public Kind $kind,
        public int $moment,
        public float $time,
        public int $key = 0,
        public int $generation = 0,
        public int $life = 0,
        public string $word = '',
        public float $seconds = 0.0,
        public int $since = 0,
    ) {}

    public static function parse(string $line): ?self
    {
        $parts = json_decode($line);
        if (!\is_array($parts)) {
            return null;
        }
        [$kind, $moment, $time, $key, $generation, $life, $word, $seconds, $since] = $parts + array_fill(0, 9, null);
        $kind = \is_string($kind) ? Kind::tryFrom($kind) : null;
        if ($kind === null || !\is_int($moment) || !\is_float($time) || !\is_int($key) || !\is_int($generation) || !\is_int($life) || !\is_string($word) || !\is_float($seconds) || !\is_int($since)) {
            return null;
        }

        return new self($kind, $moment, $time, $key, $generation, $life, $word, $seconds, $since);
    }

    public function line(): string
    {
        return json_encode([$this->kind->value, $this->moment, $this->time, $this->key, $this->generation, $this->life, $this->word, $this->seconds, $this->since], JSON_PRESERVE_ZERO_FRACTION | JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR) . "\n";
    }
}
