<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

use LogicException;
use PDOException;

/**
 * @internal Several statements of PostgreSQL as one text, for one trip. The server runs them one after the other, each
 * with a snapshot of its own, and stops at the first one that fails. The driver tells the rows of the last one only, so
 * that one has the rows of all, as JSON: those of the earlier ones wait for it in settings of the transaction.
 *
 * Such a text has no parameters. Its values are literals that mean the same whatever the session's settings are; they
 * are ASCII, since the server has read the whole text before a statement in it can name its encoding.
 *
 * @see https://www.postgresql.org/docs/15/protocol-flow.html#PROTOCOL-FLOW-MULTI-STATEMENT
 */
final readonly class OneText
{
    private const SETTING = 'larder.rows';

    /**
     * @param non-empty-list<array{string, list<scalar|null>}> $statements each with its parameters
     * @param int<1, max>                                      $ofOne      so many of the last ones are queries that may
     *     see one and the same snapshot
     */
    public static function of(array $statements, int $ofOne = 1): string
    {
        $texts = $columns = [];
        $later = \count($statements) - $ofOne;
        foreach ($statements as $number => [$sql, $parameters]) {
            $sql = self::filled($sql, $parameters);
            $rows = \sprintf("COALESCE((SELECT json_agg(r) FROM (%s) r)::text, '[]')", $sql);
            if (preg_match('/^SELECT\b/', $sql) !== 1) {
                $texts[] = $sql;
                $columns[] = "'[]'";
            } elseif ($number < $later) {
                $setting = self::SETTING . $number;
                $texts[] = "SELECT set_config('$setting', $rows, true)";
                $columns[] = "current_setting('$setting')";
            } else {
                $columns[] = $rows;
            }
            $columns[$number] .= ' AS r' . $number;
        }

        return implode('; ', [...$texts, 'SELECT ' . implode(', ', $columns)]);
    }

    /**
     * @param array<string, scalar|null> $row what the text returns
     *
     * @return list<list<array<string, scalar|null>>> the rows of each statement
     *
     * @throws PDOException
     */
    public static function rows(array $row): array
    {
        $all = [];
        foreach ($row as $text) {
            $rows = json_decode((string) $text, true);
            if (!\is_array($rows)) {
                throw new PDOException('The database returned rows that are no JSON.');
            }
            /** @var list<array<string, scalar|null>> $rows */
            $all[] = $rows;
        }

        return $all;
    }

    /** @param list<scalar|null> $parameters of the marks of a statement that has no `?` but these */
    public static function filled(string $sql, array $parameters): string
    {
        $parts = explode('?', $sql);
        if (\count($parts) !== \count($parameters) + 1) {
            throw new LogicException('A statement and its parameters differ in number.');
        }
        $filled = $parts[0];
        foreach ($parameters as $number => $value) {
            $filled .= self::literal($value) . $parts[$number + 1];
        }

        return $filled;
    }

    private static function literal(string|int|float|bool|null $value): string
    {
        return match (true) {
            $value === null => 'NULL',
            \is_int($value), \is_bool($value) => (string) (int) $value,
            // The driver looks for marks in the text, and takes a backslash for an escape as E'' does.
            default => "E'" . self::escaped(strtr((string) $value, ['\\' => '\\\\', "'" => "''"])) . "'",
        };
    }

    /** @throws PDOException */
    private static function escaped(string $text): string
    {
        $escaped = preg_replace_callback(
            '/[^\x00-\x7f]/u',
            // Both write a sign beyond 16 bits as a pair of surrogates.
            static fn(array $found): string => trim((string) json_encode($found[0]), '"'),
            $text,
        );

        return $escaped ?? throw new PDOException('A text that is not UTF-8 is sent to the database.');
    }
}
