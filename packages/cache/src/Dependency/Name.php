<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Larder\Exception\UnknownName;
use Stringable;

/**
 * The name of data that a result was made from.
 *
 * `news:4` is one row, `news?category=5` all rows that match, `news` a read in no narrower way. `news!` is carried by
 * all that read the table. Only a Registry makes them: it knows the table and how its values compare. `#any text` is a
 * word of the application's own, of no table.
 */
final readonly class Name implements Stringable
{
    /** What a word begins with, where a registry declares tables. */
    public const WORD = '#';

    /** Bytes. The name has the SHA-1 of a longer value, so that it fits an index. */
    private const LONGEST_VALUE = 80;

    /** Bytes. */
    private const LONGEST_WORD = 500;

    /** @param bool $stays of a set in a change: its rows were changed, and none came into it or went out of it */
    private function __construct(
        public string $table,
        public string $name,
        public bool $stays = false,
    ) {}

    /** @internal The same name, of a set into which nothing came and out of which nothing went. */
    public function staying(): self
    {
        return new self($this->table, $this->name, true);
    }

    /** @internal */
    public static function row(string $table, string $key): self
    {
        return new self($table, $table . ':' . self::text($key));
    }

    /**
     * @internal
     *
     * @param array<string, string|null> $equal sorted by column
     */
    public static function set(string $table, array $equal): self
    {
        $pairs = [];
        foreach ($equal as $column => $value) {
            $pairs[] = $value === null ? $column : $column . '=' . self::text($value);
        }

        return new self($table, $table . '?' . implode('&', $pairs));
    }

    /** @internal */
    public static function table(string $table): self
    {
        return new self($table, $table);
    }

    /** @internal */
    public static function all(string $table): self
    {
        return new self($table, $table . '!');
    }

    /**
     * @internal An application's own word.
     *
     * @throws UnknownName
     */
    public static function word(string $name): self
    {
        return $name !== '' && \strlen($name) <= self::LONGEST_WORD
            ? new self('', $name)
            : throw UnknownName::noWord($name);
    }

    /** @internal Makes one of its text. */
    public static function of(string $text): self
    {
        return new self(substr($text, 0, strcspn($text, ':?!')), $text);
    }

    /**
     * @internal
     *
     * @param list<self> $names
     *
     * @return list<self> their tables in bulk; words as they are
     */
    public static function inBulk(array $names): array
    {
        $bulk = [];
        foreach ($names as $name) {
            $all = $name->table === '' ? $name : self::all($name->table);
            $bulk[$all->name] = $all;
        }

        return array_values($bulk);
    }

    /** Whether all that read the table carry it. */
    public function isAll(): bool
    {
        return $this->name === $this->table . '!';
    }

    /** The slot of its version, which other names share. A shared slot can cost a stored page, but never freshness. */
    public function slot(int $slots): int
    {
        return self::slotOf($this->name, $slots);
    }

    /** @internal */
    public static function slotOf(string $name, int $slots): int
    {
        return crc32($name) % $slots;
    }

    public function __toString(): string
    {
        return $this->name;
    }

    private static function text(string $value): string
    {
        return \strlen($value) > self::LONGEST_VALUE ? '~' . sha1($value) : rawurlencode($value);
    }
}
