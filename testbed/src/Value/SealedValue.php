<?php

declare(strict_types=1);

namespace Larder\Testbed\Value;

use ArrayObject;
use DateTimeImmutable;

/**
 * A value that names its key, its generation, its end and its writer, and carries a checksum over its content.
 *
 * Whatever a store or a client mixes up, be it two keys, two writes of one key or the halves of two values, shows in
 * the value alone. Every kilobyte of text holds bytes that no other value has; the rest looks like replies of a
 * memcached, so that a client which loses its place in the stream finds some to read.
 */
final readonly class SealedValue
{
    /** Keys that number() can hold. */
    public const KEYS = 4096;

    private const AUTHORS = ['Ada', 'Grace', 'Barbara', 'Frances'];
    private const NAMES = ['key', 'generation', 'until', 'writer', 'sum', 'body'];
    private const SHAPES = 8;
    private const FILLING = "\r\nHD O00c0ffee\r\n\r\nEN\r\n\r\nVA 7 f0 c12 O5eed5eed\r\n1234567\r\nEND\r\n"
        . "VALUE t4 0 3 4\r\nabc\r\nEND\r\nMN\r\nNF O0badcafe\r\nSERVER_ERROR out of memory\r\n\0\xff\x80\x01\r\n"
        . "HD c77 O12345678\r\nVA 3 f1 c9 W\r\nxyz\r\nSTORED\r\nDELETED\r\nNOT_FOUND\r\nEX "
        . "O0\r\n:7\r\n+OK\r\n\$3\r\nabc\r\n";

    public function __construct(
        public int $key,
        public int $generation,
        /** Milliseconds since 1970 after which no reader may get the value; 0: it does not end. */
        public int $until = 0,
        public int $writer = 0,
    ) {}

    /**
     * What the value was made as.
     *
     * @throws WrongValue if it is damaged
     */
    public static function of(mixed $value): self
    {
        return match (true) {
            \is_int($value) => self::ofNumber($value),
            \is_string($value) => self::ofText($value),
            \is_array($value) => self::ofArray($value),
            default => throw new WrongValue('a value of type ' . get_debug_type($value)),
        };
    }

    /**
     * The same, for a reader who knows what may come.
     *
     * @throws WrongValue
     */
    public static function verify(mixed $value, int $key, int $oldest = 0, int $newest = PHP_INT_MAX): self
    {
        $found = self::of($value);
        if ($found->key !== $key) {
            throw new WrongValue("the value of key {$found->key} instead of $key");
        }
        if ($found->generation < $oldest || $found->generation > $newest) {
            $most = $newest === PHP_INT_MAX ? 'or more' : "to $newest";
            throw new WrongValue("key $key has generation {$found->generation} instead of $oldest $most");
        }

        return $found;
    }

    /** One of the shapes and sizes, chosen by key and generation. */
    public function any(): mixed
    {
        $size = $this->dice();

        return match ($this->generation % self::SHAPES) {
            0 => $this->number(),
            1 => $this->rows(1 + $size % 12),
            2 => $this->objects(1 + $size % 4),
            3 => $this->text($size * 4),
            default => $this->text($size % 400),
        };
    }

    /** A text of 1,000 to 300,000 bytes. */
    public function long(): string
    {
        return $this->text(1000 + $this->dice() * 300);
    }

    /** An int with 12 bits of the key and 28 of the generation; it has neither end nor writer. */
    public function number(): int
    {
        $sum = crc32($this->key . ':' . ($this->generation & 0xFFFFFFF)) & 0x3FFFFF;

        return $sum << 40 | $this->key << 28 | $this->generation & 0xFFFFFFF;
    }

    /** @param int $length bytes behind the head */
    public function text(int $length): string
    {
        $body = $this->filling($length);

        return "{$this->key} {$this->generation} {$this->until} {$this->writer} {$this->sum($body)}\n" . $body;
    }

    /** @return array<string, mixed> with rows such as a database returns */
    public function rows(int $count): array
    {
        $rows = [];
        for ($id = 0; $id < $count; ++$id) {
            $rows[] = [
                'id' => $id,
                'title' => $this->filling(8 + $id % 40),
                'author' => self::AUTHORS[$id % 4],
                'score' => (float) $this->generation / ($id + 3),
                'open' => $id % 2 === 0,
            ];
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
                -7 => $this->filling($level * 90),
                1000 * $level + 3 => [[], '', null, $level % 2 === 0, 0.5 * $level, PHP_INT_MIN],
                $this->filling(5 + $level) => $level,
            ];
        }

        return $this->sealed($nest);
    }

    /** @return array<string, mixed> with one object in two places */
    public function objects(int $count): array
    {
        $object = new ArrayObject(['generation' => $this->generation, 'text' => $this->filling(100)]);

        return $this->sealed([
            'object' => $object,
            'when' => new DateTimeImmutable('@' . $this->generation),
            'plain' => array_fill(0, $count, [$this->filling(30), $this->key]),
            'deep' => ['again' => $object],
        ]);
    }

    private static function ofNumber(int $value): self
    {
        $found = new self($value >> 28 & 0xFFF, $value & 0xFFFFFFF);

        return $found->number() === $value ? $found : throw new WrongValue("the number $value, whose sum is wrong");
    }

    private static function ofText(string $value): self
    {
        $end = strpos($value, "\n");
        $head = explode(' ', substr($value, 0, $end === false ? 0 : $end));
        if ($end === false || \count($head) !== 5) {
            throw new WrongValue(\strlen($value) . ' bytes without a head');
        }
        $found = new self((int) $head[0], (int) $head[1], (int) $head[2], (int) $head[3]);
        if ($found->sum(substr($value, $end + 1)) !== $head[4]) {
            $shown = "key {$found->key}, generation {$found->generation}";
            throw new WrongValue(\strlen($value) . " bytes of $shown, whose sum is wrong");
        }

        return $found;
    }

    /** @param array<array-key, mixed> $value */
    private static function ofArray(array $value): self
    {
        [$key, $generation, $until, $writer] = [...array_values($value), null, null, null, null];
        $isWhole = array_keys($value) === self::NAMES;
        if (!$isWhole || !\is_int($key) || !\is_int($generation) || !\is_int($until) || !\is_int($writer)) {
            throw new WrongValue('an array with other elements than a sealed value has');
        }
        $found = new self($key, $generation, $until, $writer);
        $body = $value['body'];
        $shown = "an array of key $key, generation $generation";
        if (\is_array($body) && isset($body['object'], $body['deep']) && \is_array($body['deep'])
            && $body['object'] !== ($body['deep']['again'] ?? null)) {
            throw new WrongValue("$shown, in which one object has become two");
        }
        if ($found->sum(serialize($body)) !== $value['sum']) {
            throw new WrongValue("$shown, whose sum is wrong");
        }

        return $found;
    }

    /**
     * @param array<array-key, mixed> $body
     *
     * @return array<string, mixed>
     */
    private function sealed(array $body): array
    {
        $values = [$this->key, $this->generation, $this->until, $this->writer, $this->sum(serialize($body)), $body];

        return array_combine(self::NAMES, $values);
    }

    /** The head is part of the seed, so that a right body under a wrong head is found too. */
    private function sum(string $body): string
    {
        $seed = $this->key << 44 ^ $this->writer << 34 ^ $this->generation << 8 ^ $this->until;

        return hash('xxh3', $body, false, ['seed' => $seed]);
    }

    private function dice(): int
    {
        return ($this->key * 7919 + $this->generation * 104_729) % 997;
    }

    private function filling(int $length): string
    {
        $unit = hash('xxh3', "$this->key $this->generation $this->writer", true) . self::FILLING;
        $start = ($this->key * 37 + $this->generation * 101) % \strlen($unit);

        return substr(str_repeat($unit, intdiv($start + $length, \strlen($unit)) + 1), $start, $length);
    }
}
