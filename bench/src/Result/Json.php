<?php

declare(strict_types=1);

namespace Larder\Bench\Result;

use Closure;
use Larder\Bench\Exception\UsageError;

/** A value out of a JSON file, and where it was: each reader takes it as one type or says what stands there. */
final readonly class Json
{
    private function __construct(
        private mixed $value,
        public string $place,
    ) {}

    public static function parse(string $json): self
    {
        try {
            return new self(json_decode($json, true, 64, JSON_THROW_ON_ERROR), '');
        } catch (\JsonException $exception) {
            throw UsageError::at('', 'JSON (' . $exception->getMessage() . ')');
        }
    }

    public function member(string $name): self
    {
        $map = $this->map();

        return new self($map[$name] ?? null, $this->place === '' ? $name : $this->place . '.' . $name);
    }

    public function has(string $name): bool
    {
        return ($this->map()[$name] ?? null) !== null;
    }

    /** @return array<mixed> a JSON object or list */
    public function map(): array
    {
        return \is_array($this->value) ? $this->value : throw UsageError::at($this->place, 'an object');
    }

    /**
     * @template T
     *
     * @param Closure(self): T $item
     *
     * @return list<T>
     */
    public function list(Closure $item): array
    {
        if (!\is_array($this->value) || !array_is_list($this->value)) {
            throw UsageError::at($this->place, 'a list');
        }
        $list = [];
        foreach ($this->value as $index => $value) {
            $list[] = $item(new self($value, \sprintf('%s[%d]', $this->place, $index)));
        }

        return $list;
    }

    /**
     * @template T
     *
     * @param Closure(self): T $item
     *
     * @return array<string, T>
     */
    public function each(Closure $item): array
    {
        $items = [];
        foreach ($this->map() as $name => $value) {
            $items[(string) $name] = $item(new self($value, $this->place . '.' . $name));
        }

        return $items;
    }

    public function string(): string
    {
        return \is_string($this->value) ? $this->value : throw UsageError::at($this->place, 'a string');
    }

    public function nullableString(): ?string
    {
        return $this->value === null ? null : $this->string();
    }

    /** @return non-negative-int */
    public function count(): int
    {
        return \is_int($this->value) && $this->value >= 0
            ? $this->value
            : throw UsageError::at($this->place, 'a whole number from 0');
    }

    public function number(): float
    {
        $number = \is_int($this->value) || \is_float($this->value) ? (float) $this->value : NAN;

        return is_finite($number) ? $number : throw UsageError::at($this->place, 'a number');
    }

    public function amount(): float
    {
        return $this->number() >= 0.0 ? $this->number() : throw UsageError::at($this->place, 'a number from 0');
    }

    public function nullableAmount(): ?float
    {
        return $this->value === null ? null : $this->amount();
    }

    public function bool(): bool
    {
        return \is_bool($this->value) ? $this->value : throw UsageError::at($this->place, 'true or false');
    }

    public function scalar(): bool|float|int|string
    {
        return \is_scalar($this->value) ? $this->value : throw UsageError::at($this->place, 'a scalar');
    }
}
