<?php

declare(strict_types=1);

namespace Larder\Proof\Lease;

/** The keys of all stores under consecutive numbers, and the values under them. */
final readonly class LeaseKeys
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

    /** The file that a process locks while it begins a generation. */
    public function lock(int $key): string
    {
        return "{$this->directory}/lock-$key";
    }

    /** @return array{key: int, generation: int, ending: string, filler: string} */
    public static function value(int $key, int $generation, Ending $ending): array
    {
        $filler = str_repeat(\chr(97 + $generation % 26), 300);

        return ['key' => $key, 'generation' => $generation, 'ending' => $ending->value, 'filler' => $filler];
    }

    /** @return int|null null: the value was not made for the key */
    public static function generation(mixed $value, int $key): ?int
    {
        if (!\is_array($value)) {
            return null;
        }
        $generation = $value['generation'] ?? null;
        $ending = \is_string($value['ending'] ?? null) ? Ending::tryFrom($value['ending']) : null;
        if (!\is_int($generation) || $ending === null) {
            return null;
        }

        return $value === self::value($key, $generation, $ending) ? $generation : null;
    }
}
