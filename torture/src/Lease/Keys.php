<?php

declare(strict_types=1);

namespace Larder\Torture\Lease;

/** The keys of all stores, numbered through, and what is kept under them. */
final readonly class Keys
{
    public const EACH = 12;

    public function __construct(private int $stores, private string $directory) {}

    public function count(): int
    {
        return $this->stores * self::EACH;
    }

    public function store(int $key): int
    {
        return intdiv($key, self::EACH);
    }

    public function name(int $key): string
    {
        return 'item ' . $key % self::EACH;
    }

    /** The file that a process holds while it begins a generation. */
    public function lock(int $key): string
    {
        return "{$this->directory}/lock-$key";
    }

    /** @return array{key: int, generation: int, fate: string, filler: string} */
    public static function value(int $key, int $generation, Fate $fate): array
    {
        return ['key' => $key, 'generation' => $generation, 'fate' => $fate->value, 'filler' => str_repeat(\chr(97 + $generation % 26), 300)];
    }

    /** Null: this was not made for the key. */
    public static function generation(mixed $value, int $key): ?int
    {
        if (!\is_array($value)) {
            return null;
        }
        $generation = $value['generation'] ?? null;
        $fate = $value['fate'] ?? null;

        return \is_int($generation) && \is_string($fate) && $value === self::value($key, $generation, Fate::from($fate)) ? $generation : null;
    }
}
