<?php

declare(strict_types=1);

namespace Larder\Torture\Memory;

use ArrayObject;
use DateTimeImmutable;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * A value that says whose it is: its key's number, its generation, its end, and a checksum over its own content.
 *
 * Whatever a store mixes up, be it two keys, two writes of one key or the halves of two values, shows in the value alone.
 */
final readonly class Specimen
{
    public const LONGEST = 40_960;
    public const KEYS = 4096;

    private const AUTHORS = ['Ada', 'Grace', 'Barbara', 'Frances'];
    private const NOISE = 65_536;

    public function __construct(
        public int $key,
        public int $generation,
        /** Milliseconds since 1970 after which nobody may get it any more; 0: no such end. */
        public int $until = 0,
    ) {}

    /** What the value was made as; null if it is damaged. */
    public static function of(mixed $value): ?self
    {
        return match (true) {
            \is_int($value) => self::ofNumber($value),
            \is_string($value) => self::ofText($value),
            \is_array($value) => self::ofArray($value),
            default => null,
        };
    }

    /** An int; it has no end. */
    public function number(): int
    {
        return self::sumOfNumber($this->key, $this->generation) << 40 | $this->key << 28 | ($this->generation & 0xFFFFFFF);
    }

    public function text(int $length): string
    {
        $body = $this->noise($length);

        return "{$this->key} {$this->generation} {$this->until} {$this->sum($body)}\n" . $body;
    }

    /** @return array<string, mixed> as a database would give them */
    public function rows(int $count): array
    {
        $rows = [];
        for ($id = 0; $id < $count; ++$id) {
            $rows[] = ['id' => $id, 'title' => $this->noise(8 + $id % 40), 'author' => self::AUTHORS[$id % 4], 'score' => (float) $this->generation / ($id + 3), 'open' => $id % 2 === 0];
        }

        return $this->sealed($rows);
    }

    /** @return array<string, mixed> with sparse keys, empty arrays and every scalar */
    public function nest(int $depth): array
    {
        $nest = [];
        for ($level = 0; $level < $depth; ++$level) {
            $nest = [
                'inside' => $nest,
                -7 => $this->noise($level * 90),
                1000 * $level + 3 => [[], '', null, $level % 2 === 0, 0.5 * $level, PHP_INT_MIN],
                $this->noise(5 + $level) => $level,
            ];
        }

        return $this->sealed($nest);
    }

    /** @return array<string, mixed> with one object in two places */
    public function objects(int $count): array
    {
        $object = new ArrayObject(['generation' => $this->generation, 'text' => $this->noise(100)]);

        return $this->sealed([
            'object' => $object,
            'when' => new DateTimeImmutable('@' . $this->generation),
            'plain' => array_fill(0, $count, [$this->noise(30), $this->key]),
            'deep' => ['again' => $object],
        ]);
    }

    private static function ofNumber(int $value): ?self
    {
        $specimen = new self($value >> 28 & 0xFFF, $value & 0xFFFFFFF);

        return $specimen->number() === $value ? $specimen : null;
    }

    private static function ofText(string $value): ?self
    {
        $end = strpos($value, "\n");
        $head = explode(' ', substr($value, 0, $end === false ? 0 : $end));
        if ($end === false || \count($head) !== 4) {
            return null;
        }
        $specimen = new self((int) $head[0], (int) $head[1], (int) $head[2]);

        return $specimen->sum(substr($value, $end + 1)) === $head[3] ? $specimen : null;
    }

    /** @param array<array-key, mixed> $value */
    private static function ofArray(array $value): ?self
    {
        if (array_keys($value) !== ['key', 'generation', 'until', 'sum', 'body'] || !\is_int($value['key']) || !\is_int($value['generation']) || !\is_int($value['until'])) {
            return null;
        }
        $specimen = new self($value['key'], $value['generation'], $value['until']);
        $body = $value['body'];
        if (\is_array($body) && isset($body['object'], $body['deep']) && \is_array($body['deep']) && $body['object'] !== ($body['deep']['again'] ?? null)) {
            return null;
        }

        return $specimen->sum(serialize($body)) === $value['sum'] ? $specimen : null;
    }

    /**
     * @param array<array-key, mixed> $body
     *
     * @return array<string, mixed>
     */
    private function sealed(array $body): array
    {
        return ['key' => $this->key, 'generation' => $this->generation, 'until' => $this->until, 'sum' => $this->sum(serialize($body)), 'body' => $body];
    }

    /** The number, generation and end go in as the seed, so that a right body under a wrong head is found too. */
    private function sum(string $body): string
    {
        return hash('xxh3', $body, false, ['seed' => $this->key << 44 ^ $this->generation << 8 ^ $this->until]);
    }

    private static function sumOfNumber(int $key, int $generation): int
    {
        return crc32($key . ':' . ($generation & 0xFFFFFFF)) & 0x3FFFFF;
    }

    private function noise(int $length): string
    {
        /** @var string|null $noise */
        static $noise = null;
        $noise ??= (new Randomizer(new Xoshiro256StarStar(1)))->getBytes(self::NOISE);

        return substr($noise, ($this->key * 37 + $this->generation * 101) % (self::NOISE - self::LONGEST), $length);
    }
}
