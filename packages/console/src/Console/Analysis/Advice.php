<?php

declare(strict_types=1);

namespace Larder\Console\Analysis;

use Larder\Cache\Settings;

/** @internal What to ask for the keys of one pattern, and why. Seconds throughout. */
final readonly class Advice
{
    /** Round numbers, in seconds, that people can remember. */
    private const STEPS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 10800, 21600, 43200, 86400];

    /** A ttl is long enough if one compute serves this many requests. */
    private const WORTH = 20;

    /** A compute may take at most one part in this many of the ttl. */
    private const PARTS = 100;

    /** Null: nothing was made, or the file is too short to tell. */
    public ?float $ttl;
    public ?float $grace;
    public ?float $lease;

    /** The lease that the default settings give for the measured compute. */
    public float $presentLease;
    public ?float $presentTtl;
    public float $presentGrace;

    /** @var list<string> a line for each suggestion */
    public array $reasons;

    /** @var list<string> */
    public array $warnings;

    /** @param float $span seconds that were watched */
    public function __construct(Pattern $pattern, float $span)
    {
        [$this->presentTtl, $this->presentGrace] = $pattern->terms();
        $median = $pattern->cost(0.5);
        $slow = $pattern->cost(0.95);
        $this->presentLease = (new Settings())->leaseOf($median, null);
        $every = $span > 0.0 ? $span / max(1.0, $pattern->requestsPerKey()) : null;
        $lease = $slow === null ? null : (new Settings())->leaseOf($slow, null);
        [$ttl, $grace] = $every === null ? [null, null] : $this->lives($every, $slow ?? 0.0);
        [$this->ttl, $this->grace, $this->lease] = [$ttl, $grace, $lease];
        $this->reasons = array_values(array_filter([
            $every === null || $ttl === null ? null : self::reasonOfTtl($ttl, $this->presentTtl, $every),
            $every === null || $grace === null
                ? null
                : \sprintf(
                    'grace %s: %sa key is asked for every %s, so somebody comes in time to make it anew',
                    self::span($grace),
                    $grace === $this->presentGrace ? 'as it is; ' : '',
                    self::span($every),
                ),
            $slow === null || $lease === null
                ? null
                : \sprintf('lease %s: of 20 computes 19 take no more than %s', self::span($lease), self::span($slow)),
        ], is_string(...)));
        $this->warnings = $every === null
            ? ['the file is too short to tell how often a key is asked for']
            : $this->warningsOf($every, $slow);
    }

    public static function span(?float $seconds): string
    {
        return match (true) {
            $seconds === null => 'none',
            $seconds < 1.0 => \sprintf('%.3g ms', $seconds * 1000),
            $seconds < 120.0 => \sprintf('%.3g s', $seconds),
            $seconds < 7200.0 => \sprintf('%.3g min', $seconds / 60),
            default => \sprintf('%.3g h', $seconds / 3600),
        };
    }

    /**
     * @param float $every seconds between two requests for a key
     *
     * @return array{float|null, float|null} ttl and grace; null: without end, and then there is no grace
     */
    private function lives(float $every, float $slow): array
    {
        if ($this->presentTtl === null) {
            return [null, null];
        }
        $ttl = max($this->presentTtl, self::step(max(self::WORTH * $every, self::PARTS * $slow)));

        return [$ttl, max($this->presentGrace, self::step(max($every, $slow)))];
    }

    private static function reasonOfTtl(float $ttl, ?float $present, float $every): string
    {
        $requests = $ttl / $every;

        return $ttl === $present
            ? \sprintf('ttl %s: as it is; one compute serves %s', self::span($ttl), self::requests($requests))
            : \sprintf(
                'ttl %s, if the data may be that old, or is named in $reads: one compute then serves %s',
                self::span($ttl),
                self::requests($requests),
            );
    }

    /** @return list<string> */
    private function warningsOf(float $every, ?float $slow): array
    {
        $warnings = [];
        $expected = $this->presentGrace / $every;
        if ($this->presentTtl !== null && $expected < 1.0) {
            $warnings[] = \sprintf(
                'only %.2g requests fall into the grace of %s: most values are gone before anybody makes them anew',
                $expected,
                self::span($this->presentGrace),
            );
        }
        if ($this->presentTtl !== null && $this->presentTtl + $this->presentGrace < $every) {
            $warnings[] = \sprintf(
                'a key is asked for every %s and kept for %s: nearly every request makes it',
                self::span($every),
                self::span($this->presentTtl + $this->presentGrace),
            );
        }
        if ($slow !== null && $slow > $this->presentLease) {
            $warnings[] = \sprintf(
                'of 20 computes one takes longer than %s, and the lease ends after %s: two may make the same value',
                self::span($slow),
                self::span($this->presentLease),
            );
        }

        return $warnings;
    }

    private static function requests(float $requests): string
    {
        return $requests < 1.0
            ? 'less than one request'
            : \sprintf($requests < 10.0 ? '%.2g requests' : '%.0f requests', $requests);
    }

    private static function step(float $seconds): float
    {
        foreach (self::STEPS as $step) {
            // A measured rate is never exactly one in ten minutes.
            if ($step >= $seconds * 0.95) {
                return (float) $step;
            }
        }

        return (float) self::STEPS[\count(self::STEPS) - 1];
    }
}
