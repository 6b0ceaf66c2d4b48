<?php

declare(strict_types=1);

namespace Larder\Console\Analysis;

use Larder\Cache\Analysis\Sighting;
use Larder\Cache\Event;

/** @internal What the log shows of the keys that look alike. */
final class Pattern
{
    /**
     * Requests are counted for this many keys: those with the smallest hashes, so each key is as likely as any other,
     * and each is counted from its first request on.
     */
    private const KEYS = 256;

    /** How many different ttls are counted apart. */
    private const TERMS = 16;

    private float $requests = 0.0;
    private float $old = 0.0;
    private float $computes = 0.0;
    private readonly Sample $costs;

    /** @var array<int, int> requests by the key's hash */
    private array $keys = [];

    /** The largest hash that is kept, once there are as many as are kept. */
    private int $largest = PHP_INT_MAX;

    /** @var array<string, array{float|null, float, int}> ttl, grace and how often */
    private array $terms = [];

    public function __construct(public readonly string $name)
    {
        $this->costs = new Sample();
    }

    public function add(Sighting $sighting): void
    {
        $this->requests += $sighting->oneIn;
        $isMade = $sighting->event === Event::Miss || $sighting->event === Event::Refresh;
        $this->old += $sighting->event === Event::Hit || $sighting->event === Event::Stale ? $sighting->oneIn : 0;
        if ($isMade) {
            $this->computes += $sighting->oneIn;
            if ($sighting->cost !== null) {
                $this->costs->add($sighting->cost);
            }
        }
        $this->count(hexdec(hash('xxh32', $sighting->key)));
        $name = $sighting->ttl . ' ' . $sighting->grace;
        if (isset($this->terms[$name])) {
            ++$this->terms[$name][2];
        } elseif (\count($this->terms) < self::TERMS) {
            $this->terms[$name] = [$sighting->ttl, $sighting->grace, 1];
        }
    }

    /** All requests that the file stands for. */
    public function requests(): float
    {
        return $this->requests;
    }

    /** The share of the requests that got a value at once. */
    public function hitRatio(): float
    {
        return $this->requests > 0.0 ? $this->old / $this->requests : 0.0;
    }

    /** Seconds that all computes took, of which the file has a part. */
    public function work(): float
    {
        return $this->computes * ($this->cost(0.5) ?? 0.0);
    }

    /** @return float|null seconds */
    public function cost(float $part): ?float
    {
        return $this->costs->quantile($part);
    }

    /** Requests for one key, at the median of the keys that were seen. */
    public function requestsPerKey(): float
    {
        return Sample::quantileOf(array_map(floatval(...), array_values($this->keys)), 0.5) ?? 0.0;
    }

    /** @return array{float|null, float} the ttl and grace that were asked for most often; seconds */
    public function terms(): array
    {
        $terms = $this->terms;
        usort($terms, static fn(array $a, array $b): int => $b[2] <=> $a[2]);

        return [$terms[0][0] ?? null, $terms[0][1] ?? 0.0];
    }

    private function count(int|float $hash): void
    {
        $hash = (int) $hash;
        if (isset($this->keys[$hash])) {
            ++$this->keys[$hash];

            return;
        }
        if ($hash > $this->largest) {
            return;
        }
        $this->keys[$hash] = 1;
        if (\count($this->keys) > self::KEYS) {
            krsort($this->keys);
            unset($this->keys[array_key_first($this->keys)]);
            $this->largest = array_key_first($this->keys) ?? PHP_INT_MAX;
        }
    }
}
