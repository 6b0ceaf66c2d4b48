<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\ManyKeys;

use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\Objects;
use Larder\Bench\Subject\Subject;
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

    /**
     * Stores objects. One by one the client serializes them itself; many at once go through PHP's serialize(), since no
     * client contract has a multi-key call for objects.
     *
     * @param non-empty-array<string, self> $objects
     */
    public static function store(Subject $subject, bool $many, array $objects): void
    {
        if ($many && $subject instanceof ManyKeys) {
            $subject->setMany(array_map(serialize(...), $objects));
        } elseif ($subject instanceof Objects) {
            foreach ($objects as $key => $object) {
                $subject->setObject($key, $object);
            }
        }
    }

    /**
     * @param non-empty-list<string> $keys
     *
     * @return array<string, string|null> the payloads of those that are there and whole
     */
    public static function payloads(Subject $subject, bool $many, array $keys): array
    {
        if ($many && $subject instanceof ManyKeys) {
            return array_map(
                static fn(string $bytes): ?string => self::payload(
                    @unserialize($bytes, ['allowed_classes' => [self::class]]),
                ),
                $subject->getMany($keys),
            );
        }
        $payloads = [];
        if ($subject instanceof Objects) {
            foreach ($keys as $key) {
                $payloads[$key] = self::payload($subject->getObject($key));
            }
        }

        return $payloads;
    }

    /** @return list<class-string<Subject>> what a subject must be to keep objects */
    public static function needs(bool $many): array
    {
        return [$many ? ManyKeys::class : Objects::class];
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
