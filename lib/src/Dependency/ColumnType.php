<?php

declare(strict_types=1);

namespace Larder\Dependency;

/**
 * How the database compares a column's values. It decides which rows a `?`-name covers.
 *
 * The database decides what is equal, not PHP: `'05'` finds integer 5, and `bob` finds `Bob` under NOCASE. Values that
 * are equal for the database must have one canonical text. A value for which this is not certain has none, and a read
 * by it counts as a read of the whole table.
 */
enum ColumnType: string
{
    /** Whole numbers, in a column of type INTEGER. */
    case Integer = 'integer';
    /** Compared byte for byte (SQLite's BINARY). */
    case Text = 'text';
    /** ASCII letters compare without case (SQLite's NOCASE). */
    case TextNoCase = 'text nocase';

    /** @return string|null null: it is not known which values equal this one */
    public function canonical(int|float|string|bool $value): ?string
    {
        return match ($this) {
            self::Integer => self::integer($value),
            self::Text => self::text($value),
            self::TextNoCase => self::lower(self::text($value)),
        };
    }

    /**
     * @internal Whether a value of a statement is one of the column's own type, as the database writes it. Of others it
     * depends on the database what they equal: `text = 4` may find '04'.
     */
    public function isOwn(int|string $value): bool
    {
        if ($this === self::Integer) {
            return \is_int($value) || (string) (int) $value === $value;
        }

        // A text that is not UTF-8, or has a NUL, may not be compared byte for byte.
        return \is_string($value) && !str_contains($value, "\0") && preg_match('//u', $value) === 1;
    }

    private static function integer(int|float|string|bool $value): ?string
    {
        if (\is_int($value) || \is_bool($value)) {
            return (string) (int) $value;
        }
        if (\is_float($value)) {
            return floor($value) === $value && abs($value) < 2 ** 53 ? (string) (int) $value : null;
        }

        return preg_match('/^[ \t\n\r]*([+-]?)0*([0-9]{1,18})[ \t\n\r]*$/D', $value, $matches) === 1
            ? (string) (int) ($matches[1] . $matches[2])
            : null;
    }

    /** How PDO binds a bool, and how the database writes a float, is not certain. */
    private static function text(int|float|string|bool $value): ?string
    {
        return \is_int($value) || \is_string($value) ? (string) $value : null;
    }

    /** SQLite takes two texts of one length for equal if they differ behind a NUL only. */
    private static function lower(?string $value): ?string
    {
        return $value === null || str_contains($value, "\0")
            ? null
            : strtr($value, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz');
    }
}
