<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Larder\Store;

/** Versions kept in a store (a beginning: a name's version is a random number under its own key). */
final class Gates implements Versions
{
    private const PREFIX = "\0v";

    /** @var list<array<string, int>|null> stamps of what is being made, from the outermost on; null: it may not be stored */
    private array $making = [];

    public function __construct(private readonly Store $store) {}

    public function make(Closure $compute, array $names, ?float $life): Made
    {
        $this->making[] = [];
        try {
            $this->reads(...$names);
            $value = $compute();
        } finally {
            $stamps = array_pop($this->making);
        }
        $this->merge($stamps);

        return new Made($value, $stamps);
    }

    public function reads(string|Dependency ...$names): void
    {
        $this->merge($this->stamps(array_map(strval(...), array_values($names))));
    }

    public function used(array $stamps, float $until): void
    {
        $this->merge($stamps);
    }

    public function watchesAll(): bool
    {
        return false;
    }

    public function hold(array $stamped): array
    {
        $present = $this->present(array_map(strval(...), array_keys(array_merge(...array_values($stamped)))));

        return array_map(static fn(array $stamps): bool => array_intersect_assoc($stamps, $present) === $stamps, $stamped);
    }

    public function change(array $names, Closure $write): mixed
    {
        $made = $write(new Change(new Registry(), static fn(): ?array => null));
        foreach ($names as $name) {
            $this->store->delete(self::PREFIX . $name);
        }

        return $made;
    }

    /** @param array<string, int>|null $stamps */
    private function merge(?array $stamps): void
    {
        $last = array_key_last($this->making);
        if ($last !== null) {
            $this->making[$last] = $stamps === null || $this->making[$last] === null ? null : $stamps + $this->making[$last];
        }
    }

    /**
     * @param list<string> $names
     *
     * @return array<string, int>
     */
    private function stamps(array $names): array
    {
        $stamps = $this->present($names);
        foreach (array_diff($names, array_keys($stamps)) as $name) {
            $this->store->add(self::PREFIX . $name, random_int(1, PHP_INT_MAX), 86400.0);
            $stamps += $this->present([$name]);
        }

        return $stamps;
    }

    /**
     * @param list<string> $names
     *
     * @return array<string, int>
     */
    private function present(array $names): array
    {
        $present = [];
        foreach ($this->store->getMultiple(array_map(static fn(string $name): string => self::PREFIX . $name, $names)) as $item => $version) {
            if (\is_int($version)) {
                $present[substr((string) $item, 2)] = $version;
            }
        }

        return $present;
    }
}
