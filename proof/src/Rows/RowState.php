<?php

declare(strict_types=1);

namespace Larder\Proof\Rows;

/** What a row is like in each of its versions, so that one number tells everything of it. */
final readonly class RowState
{
    public const GROUPS = 3;

    private function __construct() {}

    /** In one version of nine the row is not there. */
    public static function isThere(int $version): bool
    {
        return $version % 9 !== 8;
    }

    /** Two of three changes leave it. */
    public static function group(int $version): int
    {
        return intdiv($version, 3) % self::GROUPS;
    }

    /** By which lists are ordered. */
    public static function place(int $version): int
    {
        return intdiv($version, 2) % 5;
    }

    /**
     * The statement that makes a version of a row of the one before, and its numbers.
     *
     * @return array{string, list<int>}
     */
    public static function statement(int $row, int $version, bool $isBulk): array
    {
        $values = [$version, self::group($version), self::place($version), $row];

        return match (true) {
            !self::isThere($version) => ['DELETE FROM item WHERE id = ?', [$row]],
            !self::isThere($version - 1) => ['INSERT INTO item (version, grp, place, id) VALUES (?, ?, ?, ?)', $values],
            $isBulk => [
                'UPDATE item SET version = ?, grp = ?, place = ? WHERE id IN (SELECT id FROM truth WHERE id = ?)',
                $values,
            ],
            default => ['UPDATE item SET version = ?, grp = ?, place = ? WHERE id = ?', $values],
        };
    }

    /** Whether a list is another one after a version than before it; null: the whole table's, by place. */
    public static function changesList(int $version, ?int $group): bool
    {
        return self::inList($version, $group) !== self::inList($version - 1, $group);
    }

    /** Whether a row of any of these versions may be missing in the list of a group; null: in the whole table's. */
    public static function mayBeOut(int $oldest, int $newest, ?int $group): bool
    {
        for ($version = $oldest; $version <= $newest; ++$version) {
            if (!self::isThere($version) || ($group !== null && self::group($version) !== $group)) {
                return true;
            }
        }

        return false;
    }

    /** @return int|bool|null whether it is in, or at which place; null: it is not there */
    private static function inList(int $version, ?int $group): int|bool|null
    {
        if (!self::isThere($version)) {
            return $group === null ? null : false;
        }

        return $group === null ? self::place($version) : self::group($version) === $group;
    }
}
