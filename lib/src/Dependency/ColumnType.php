<?php

declare(strict_types=1);

namespace Larder\Dependency;

/**
 * How the database compares a column's values, as far as it decides which rows a `?`-name covers.
 *
 * Equality is the database's, not PHP's: `'05'` finds integer 5, and `bob` finds `Bob` under NOCASE. Two values that the
 * database holds equal must have one canonical text; where that cannot be promised there is none, and the read counts as
 * the whole table.
 */
enum ColumnType: string
{
    case Integer = 'integer';
    /** Compared byte for byte (SQLite's BINARY). */
    case Text = 'text';
    /** ASCII letters compare without case (SQLite's NOCASE). */
    case TextNoCase = 'text nocase';

    /** Null: this value's equals are not known. */
    public function canonical(int|float|string|bool $value): ?string
    {
        return match ($this) {
            self::Integer => self::integer($value),
            self::Text => self::text($value),
            self::TextNoCase => self::lower(self::text($value)),
        };
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

    /** PDO binds a bool as a number or as an empty string, by the way of binding; a float's digits are the database's. */
    private static function text(int|float|string|bool $value): ?string
    {
        return \is_int($value) || \is_string($value) ? (string) $value : null;
    }

    private static function lower(?string $value): ?string
    {
        return $value === null ? null : strtr($value, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz');
    }
}
