<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

/** One Redis server of the model, with one value of the database under one version. */
final readonly class RedisNode
{
    /**
     * @param array{int, int}|null      $record  word, and the identity that it counts under
     * @param array{int, int}|null      $version word that it was written under, and the version
     * @param array{int, int, int}|null $value   word, state of the database that it was made from, version
     */
    public function __construct(
        public ?array $record,
        public ?array $version,
        public ?array $value,
        public int $run,
        public int $id,
        public bool $isPrimary = true,
    ) {}

    /**
     * @param array{int, int}|null      $record
     * @param array{int, int}|null      $version
     * @param array{int, int, int}|null $value
     */
    public function holding(?array $record, ?array $version, ?array $value): self
    {
        return new self($record, $version, $value, $this->run, $this->id, $this->isPrimary);
    }

    public function has(self $other): bool
    {
        return [$this->record, $this->version, $this->value] === [$other->record, $other->version, $other->value];
    }

    /** With another one's data. */
    public function copying(self $other): self
    {
        return $this->holding($other->record, $other->version, $other->value);
    }

    public function primary(int $id): self
    {
        return new self($this->record, $this->version, $this->value, $this->run, $id);
    }

    public function replica(int $id): self
    {
        return new self($this->record, $this->version, $this->value, $this->run, $id, false);
    }

    public function identity(RedisRule $rule): int
    {
        return match (true) {
            !$rule->isAsked() => 0,
            $rule->isByRun() => $this->run,
            default => $this->id,
        };
    }

    /** The word that counts for a client, 0 for none. */
    public function word(RedisRule $rule, int $believed): int
    {
        if ($this->record === null || ($rule->isInTheScript() && $rule->asksRole() && !$this->isPrimary)) {
            return 0;
        }
        $identity = $rule->isInTheScript() ? $this->identity($rule) : $believed;

        return $this->record[1] === $identity ? $this->record[0] : 0;
    }

    /** The state of the database that a reader gets; null: a miss. */
    public function read(int $word): ?int
    {
        return $word !== 0
            && $this->value !== null && $this->value[0] === $word
            && $this->version !== null && $this->version[0] === $word && $this->version[1] === $this->value[2]
            ? $this->value[1]
            : null;
    }
}
