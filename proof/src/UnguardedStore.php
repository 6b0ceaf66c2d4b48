<?php

declare(strict_types=1);

namespace Larder\Proof;

use Larder\Answer;
use Larder\Outcome;
use Larder\Store;

/**
 * A store without one of its guards. That of a writer whose gates do not close, or who does not check them, always says
 * that they are closed.
 */
final class UnguardedStore extends ForwardingStore
{
    private const INVALID = 1;

    /** Seconds of a lease without an end. */
    private const ENDLESS = 3600.0;

    /** @var array<string, mixed> what the writer believes to have written */
    private array $closed = [];

    public function __construct(Store $store, private readonly MissingGuard $missing)
    {
        parent::__construct($store);
    }

    public function read(string $key): Answer
    {
        $answer = parent::read($key);

        return match (true) {
            !$this->hasNoGates() => $answer,
            str_starts_with($key, "\0w") => new Answer(true, 1),
            isset($this->closed[$key]) => new Answer(true, $this->closed[$key], $answer->version),
            default => $answer,
        };
    }

    public function set(string $key, mixed $value, ?float $ttl = null, ?int $lease = null): Outcome
    {
        return $this->missing === MissingGuard::Marks && str_starts_with($key, "\0m")
            ? Outcome::Done
            : $this->unfenced(parent::set($key, $value, $ttl, $lease), $key, $value, $ttl);
    }

    public function add(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        $this->closed[$key] = $value;

        return $this->missing === MissingGuard::Close ? Outcome::Done : parent::add($key, $value, $ttl);
    }

    public function cas(string $key, mixed $value, int $version, ?float $ttl = null): Outcome
    {
        if ($this->hasNoGates() && $ttl === 0.0) {
            unset($this->closed[$key]);

            return $this->delete($key);
        }
        $this->closed[$key] = $value;

        return $this->missing === MissingGuard::Close
            ? Outcome::Done
            : $this->unfenced(parent::cas($key, $value, $version, $ttl), $key, $value, $ttl);
    }

    public function getOrLease(string $key, float $seconds = 10.0): Answer
    {
        $answer = parent::getOrLease($key, $this->seconds($seconds));
        $isDenied = !$answer->hit && $answer->lease === null;

        return $this->missing === MissingGuard::Lease && $isDenied ? new Answer(lease: self::INVALID) : $answer;
    }

    public function lease(string $key, float $seconds = 10.0): ?int
    {
        return parent::lease($key, $this->seconds($seconds))
            ?? ($this->missing === MissingGuard::Lease ? self::INVALID : null);
    }

    private function hasNoGates(): bool
    {
        return $this->missing === MissingGuard::Close || $this->missing === MissingGuard::Check;
    }

    private function seconds(float $seconds): float
    {
        return $this->missing === MissingGuard::End ? self::ENDLESS : $seconds;
    }

    private function unfenced(Outcome $outcome, string $key, mixed $value, ?float $ttl): Outcome
    {
        $isFenced = $outcome !== Outcome::Done && $outcome !== Outcome::Refused;

        return $this->missing === MissingGuard::Fence && $isFenced ? parent::set($key, $value, $ttl) : $outcome;
    }
}
