<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\ManyKeys;

use Larder\Testbed\Value\SealedBytes;

/**
 * The source's object: some members of each type, and another one inside it, three deep; the innermost holds the
 * payload.
 *
 * Its members are not readonly: serializers of extensions write them one by one.
 */
final class NestedObject
{
    private const DEPTH = 3;
    private const STEP = 100;
    private const NUMBER = 123;
    private const FRACTION = 123.123;
    private const LIST = ['abc', 123];

    public string $text;
    public int $number = self::NUMBER;
    public float $fraction = self::FRACTION;

    /** @var array<mixed> */
    public array $list = self::LIST;

    private function __construct(public mixed $inner)
    {
        $this->text = self::text();
    }

    /**
     * The payload of object $number, 0 to 4,900 bytes in the source. One that proves whose it is cannot be shorter than
     * a seal.
     */
    public static function length(int $number): int
    {
        return max(SealedBytes::SHORTEST, ($number % Batch::SOURCE_KEYS) * self::STEP);
    }

    public static function around(string $payload): self
    {
        return new self(new self(new self($payload)));
    }

    /** Null: this is no such object, or not as it was made. */
    public static function payload(mixed $object): ?string
    {
        for ($level = 0; $level < self::DEPTH; ++$level) {
            if (!$object instanceof self || !$object->isWhole()) {
                return null;
            }
            $object = $object->inner;
        }

        return \is_string($object) ? $object : null;
    }

    private function isWhole(): bool
    {
        return $this->text === self::text()
            && $this->number === self::NUMBER
            && $this->fraction === self::FRACTION
            && $this->list === self::LIST;
    }

    private static function text(): string
    {
        return str_repeat('abc', 25);
    }
}
