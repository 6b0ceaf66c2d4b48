<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

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
    /** Compared byte for byte (SQLite's BINARY, PostgreSQL's text). */
    case Text = 'text';
    /** ASCII letters compare without case (SQLite's NOCASE). */
    case TextNoCase = 'text nocase';
    /** Printable ASCII compares byte for byte (MariaDB's `nopad_bin`, VARBINARY). Of other texts it is not known. */
    case Ascii = 'ascii';
    /** The same, where blanks at the end do not count (MariaDB's `bin`). */
    case AsciiPadded = 'ascii padded';
    /** Printable ASCII compares without case (MariaDB's `general_nopad_ci`). Of other texts it is not known. */
    case AsciiNoCase = 'ascii nocase';
    /** The same, where blanks at the end do not count (MariaDB's `general_ci`, `uca1400_ai_ci`). */
    case AsciiPaddedNoCase = 'ascii padded nocase';

    /** @return string|null null: it is not known which values equal this one */
    public function canonical(int|float|string|bool $value): ?string
    {
        return match ($this) {
            self::Integer => self::integer($value),
            self::Text => self::text($value),
            self::TextNoCase => self::lower(self::text($value)),
            self::Ascii => self::printable($value),
            self::AsciiPadded => self::cut(self::printable($value)),
            self::AsciiNoCase => self::lower(self::printable($value)),
            self::AsciiPaddedNoCase => self::cut(self::lower(self::printable($value))),
        };
    }

    /**
     * @internal Whether a value of a statement is one of the column's own type, as the database writes it. Of others it
     * depends on the database what they equal: `text = 4` may find '04', and two long numbers that differ are one if
     * they compare as floating-point numbers.
     */
    public function isOwn(int|string $value): bool
    {
        if ($this === self::Integer) {
            return \is_int($value) || ((string) (int) $value === $value
                && (\strlen($value) <= 15 || \strlen(ltrim($value, '-')) <= 15));
        }
        if ($this->isAscii()) {
            return \is_string($value) && self::printable($value) !== null;
        }

        // A text that is not UTF-8, or has a NUL, may not be compared byte for byte.
        return \is_string($value) && !str_contains($value, "\0") && preg_match('//u', $value) === 1;
    }

    /** @internal Whether only printable ASCII has a canonical text. */
    public function isAscii(): bool
    {
        return \in_array($this, [self::Ascii, self::AsciiPadded, self::AsciiNoCase, self::AsciiPaddedNoCase], true);
    }

    /**
     * @internal Whether a value that one column equals goes on to another column that equals the first one. Between two
     * collations of MariaDB it does not: one may find 'ß' and 's' equal, the other one 'ß' and 'ss'.
     */
    public function isCarried(): bool
    {
        return $this !== self::AsciiNoCase && $this !== self::AsciiPaddedNoCase;
    }

    private static function integer(int|float|string|bool $value): ?string
    {
        if (\is_int($value) || \is_bool($value)) {
            return (string) (int) $value;
        }
        if (\is_float($value)) {
            return floor($value) === $value && abs($value) < 2 ** 53 ? (string) (int) $value : null;
        }

        // Most texts of numbers are as the database writes them.
        if (\strlen($value) <= 18 && (string) (int) $value === $value) {
            return $value;
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

    private static function printable(int|float|string|bool $value): ?string
    {
        $text = self::text($value);

        return $text !== null && preg_match('/^[\x20-\x7e]*$/D', $text) === 1 ? $text : null;
    }

    private static function cut(?string $value): ?string
    {
        return $value === null ? null : rtrim($value, ' ');
    }

    /** SQLite takes two texts of one length for equal if they differ behind a NUL only. */
    private static function lower(?string $value): ?string
    {
        return $value === null || str_contains($value, "\0")
            ? null
            : strtr($value, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz');
    }
}
