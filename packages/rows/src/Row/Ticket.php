<?php

declare(strict_types=1);

namespace Larder\Row;

use Larder\Answer;
use Larder\Exception\UnstorableValue;
use Larder\Outcome;
use Larder\Store\Operation;

/**
 * @internal The right to store under a key what is read from now on: a lease, or the version of an entry that does not
 * count any more. A change of the row takes either away.
 */
final readonly class Ticket
{
    private function __construct(
        private string $key,
        private ?int $lease,
        private int $version,
    ) {}

    /** @return self|null null: another process has the right */
    public static function of(string $key, Answer $answer): ?self
    {
        return match (true) {
            $answer->hit && $answer->version !== 0 => new self($key, null, $answer->version),
            ($answer->lease ?? 0) > 0 => new self($key, $answer->lease, 0),
            default => null,
        };
    }

    /** @return Operation<Outcome|UnstorableValue> */
    public function store(mixed $value, ?float $ttl): Operation
    {
        return $this->lease === null
            ? Operation::cas($this->key, $value, $this->version, $ttl)
            : Operation::set($this->key, $value, $ttl, $this->lease);
    }

    /** @return Operation<Outcome>|null null: there is nothing to give back */
    public function release(): ?Operation
    {
        return $this->lease === null ? null : Operation::release($this->key, $this->lease);
    }
}
