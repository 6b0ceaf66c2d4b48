<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use mysqli;
use mysqli_driver;
use mysqli_result;
use PDOException;
use WeakReference;

/**
 * @internal Larder's own statements on the application's mysqli. They run by PHP's functions, which pass the methods of
 * a RecordingMysqli by.
 */
final readonly class UnfollowedMysqli
{
    /** Rows that the application has not read are in the way. */
    public const OUT_OF_SYNC = 2014;

    /** The server's types of columns that are numbers in PHP. */
    private const INTEGERS = [
        MYSQLI_TYPE_TINY, MYSQLI_TYPE_SHORT, MYSQLI_TYPE_LONG, MYSQLI_TYPE_LONGLONG, MYSQLI_TYPE_INT24,
        MYSQLI_TYPE_YEAR,
    ];

    private const FLOATS = [MYSQLI_TYPE_FLOAT, MYSQLI_TYPE_DOUBLE];

    /** @var WeakReference<mysqli> */
    private WeakReference $connection;

    public function __construct(mysqli $connection)
    {
        $this->connection = WeakReference::create($connection);
    }

    /** Runs a text as it is, in the mode of mysqli_report(). */
    public function send(string $sql): mysqli_result|bool
    {
        return mysqli_query($this->connection(), $sql);
    }

    /**
     * Runs a closure in which a statement that fails returns false.
     *
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    public function silently(Closure $run): mixed
    {
        $mode = (new mysqli_driver())->report_mode;
        mysqli_report(MYSQLI_REPORT_OFF);
        try {
            return $run();
        } finally {
            mysqli_report($mode);
        }
    }

    /** Fails as the mode of mysqli_report() says. */
    public function fail(MysqliAnswer $answer): false
    {
        $this->send($answer->signal());

        return false;
    }

    public function answer(): MysqliAnswer
    {
        $connection = $this->connection();

        return new MysqliAnswer(
            $connection->errno,
            $connection->sqlstate,
            $connection->error,
            $connection->affected_rows,
            $connection->insert_id,
            $connection->field_count,
        );
    }

    /**
     * @param array<array-key, scalar|null> $parameters in their order
     *
     * @throws PDOException
     */
    public function run(string $sql, array $parameters): mysqli_result|bool
    {
        return $this->silently(function () use ($sql, $parameters): mysqli_result|bool {
            $values = array_values($parameters);
            $made = match (true) {
                $values === [] => $this->send($sql),
                self::canBeFilled($sql, $values) => $this->send(self::filled($sql, $values)),
                default => $this->prepared($sql, $values),
            };

            return $made === false ? throw $this->answer()->exception(null, false) : $made;
        });
    }

    /** @return list<array<string, int|float|string|null>> all rows, with numbers as numbers */
    public static function fetched(mysqli_result|bool $result): array
    {
        if (!$result instanceof mysqli_result) {
            return [];
        }
        $types = [];
        foreach ($result->fetch_fields() as $field) {
            $types[$field->name] = $field->type;
        }
        $rows = [];
        /** @var array<string, int|float|string|null> $row */
        foreach ($result->fetch_all(MYSQLI_ASSOC) as $row) {
            foreach ($row as $name => $value) {
                $row[$name] = self::number($value, $types[$name]);
            }
            $rows[] = $row;
        }
        $result->free();

        return $rows;
    }

    /** @param list<scalar|null> $values */
    private function prepared(string $sql, array $values): mysqli_result|bool
    {
        $statement = mysqli_prepare($this->connection(), $sql);
        if ($statement === false) {
            return false;
        }
        $types = '';
        foreach ($values as $value) {
            $types .= \is_int($value) || \is_bool($value) ? 'i' : 's';
        }
        $statement->bind_param($types, ...$values);
        if (!$statement->execute()) {
            // That it ends puts the connection's error back to none.
            $answer = new MysqliAnswer($statement->errno, $statement->sqlstate, $statement->error);
            throw $answer->exception(null, false);
        }

        return $statement->field_count > 0 ? $statement->get_result() : true;
    }

    /** @param list<scalar|null> $values */
    private static function filled(string $sql, array $values): string
    {
        $parts = explode('?', $sql);
        $filled = $parts[0];
        foreach (\array_slice($parts, 1) as $number => $part) {
            $value = $values[$number] ?? null;
            $filled .= match (true) {
                $value === null => 'NULL',
                \is_int($value), \is_bool($value) => (string) (int) $value,
                default => "'$value'",
            } . $part;
        }

        return $filled;
    }

    /**
     * Whether the values can stand in the text, in any charset and mode: then it takes one trip, and else three.
     *
     * @param list<scalar|null> $values
     */
    private static function canBeFilled(string $sql, array $values): bool
    {
        $isPlain = strpbrk($sql, '\'"`#') === false && !str_contains($sql, '--') && !str_contains($sql, '/*');

        return $isPlain && preg_match('/[^ !#-&(-\[\]-~]/', implode('', $values)) !== 1;
    }

    private static function number(int|float|string|null $value, int $type): int|float|string|null
    {
        return match (true) {
            !\is_string($value) => $value,
            \in_array($type, self::INTEGERS, true) && (string) (int) $value === $value => (int) $value,
            \in_array($type, self::FLOATS, true) => (float) $value,
            default => $value,
        };
    }

    private function connection(): mysqli
    {
        return $this->connection->get() ?? throw new PDOException('The connection is closed.');
    }
}
