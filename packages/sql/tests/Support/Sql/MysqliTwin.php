<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

use LogicException;
use mysqli;
use mysqli_result;
use mysqli_sql_exception;
use mysqli_stmt;

/** A mysqli, plain or recording. What its functions are called with is the same as its methods. */
final class MysqliTwin implements Twin
{
    private ?mysqli_stmt $prepared = null;

    /** A result whose rows were not all taken. */
    private ?mysqli_result $half = null;

    /** How many commands it ran, by which the method of a text changes. */
    private int $ran = 0;

    private bool $isSeveral = false;

    /** @param string $name of its database, which texts of errors have */
    public function __construct(
        private readonly mysqli $database,
        private readonly string $name = '',
    ) {}

    public function answer(Command $command, Taking $taking): array
    {
        $before = $this->half;
        $this->half = null;
        ++$this->ran;
        $this->isSeveral = str_contains($command->query->sql, '; ');
        try {
            $seen = $this->ran($command, $taking);
        } catch (mysqli_sql_exception $exception) {
            $seen = [$exception->getCode(), $exception->getMessage(), $exception->getSqlState()];
        } finally {
            unset($before);
        }
        // docs/how-to/dbal-and-mysqli.md has these among what differs.
        $isRead = preg_match('/^\W*(?:SELECT|VALUES|SHOW|EXPLAIN|DESC)\b/i', $command->query->sql) === 1;

        $state = $this->state();
        if ($state['errno'] !== 0 && str_contains($command->query->sql, 'RETURNING')) {
            $state['id'] = null;
        }

        return $this->named([...$seen, $state, $isRead ? $this->database->warning_count : null]);
    }

    public function end(): void
    {
        $this->prepared = $this->half = null;
        foreach (['ROLLBACK', 'UNLOCK TABLES'] as $sql) {
            try {
                $this->database->query($sql);
            } catch (mysqli_sql_exception) {
                // Nothing was open.
            }
        }
    }

    public function rows(string $table): array
    {
        $result = $this->database->query("SELECT * FROM $table ORDER BY id, 1, 2, 3");
        /** @var list<array<string, scalar|null>> $rows */
        $rows = $result instanceof mysqli_result ? $result->fetch_all(MYSQLI_ASSOC) : [];

        return $rows;
    }

    /** @return list<mixed> */
    private function ran(Command $command, Taking $taking): array
    {
        $query = $command->query;
        $isLooped = \in_array($taking, [Taking::Looped, Taking::Column], true) && self::mayStay($query->sql);

        return match ($command->action) {
            Action::Begin => [$this->database->begin_transaction()],
            Action::Commit => [$this->database->commit()],
            Action::RollBack => [$this->database->rollback()],
            Action::Prepare => [$this->prepare($query->sql) !== null],
            Action::Execute => $this->executed($this->prepared, $query, $taking),
            Action::Exec => $this->several($query->sql, $taking),
            default => match ($query->binding) {
                Binding::Text => $this->made(
                    $this->database->query($query->sql, $isLooped ? MYSQLI_USE_RESULT : MYSQLI_STORE_RESULT),
                    $taking,
                    $query->sql,
                ),
                Binding::Execute => $this->made(
                    $this->database->execute_query($query->sql, array_values($query->values)),
                    $taking,
                    $query->sql,
                ),
                default => $this->executed($this->prepare($query->sql), $query, $taking),
            },
        };
    }

    private function prepare(string $sql): ?mysqli_stmt
    {
        $this->prepared = null;

        $prepared = $this->database->prepare($sql);
        $this->prepared = $prepared === false ? null : $prepared;

        return $this->prepared;
    }

    /** @return list<mixed> */
    private function executed(?mysqli_stmt $statement, Query $query, Taking $taking): array
    {
        if ($statement === null) {
            return ['not prepared'];
        }
        $values = array_values($query->values);
        $types = '';
        foreach ($values as $value) {
            $types .= \is_int($value) || \is_bool($value) ? 'i' : (\is_float($value) ? 'd' : 's');
        }
        $isBound = $statement->param_count === \count($values);
        if ($isBound && $values !== []) {
            $statement->bind_param($types, ...$values);
        }
        try {
            $isDone = $statement->execute();
        } catch (mysqli_sql_exception $exception) {
            return self::returns($query) ? [$exception->getCode(), $exception->getMessage()] : throw $exception;
        }
        $seen = [$isBound, $isDone, $this->stateOf($statement, false)];
        if (!$isDone) {
            return self::returns($query) ? [$statement->errno, $statement->error] : $seen;
        }
        do {
            if ($statement->field_count === 0) {
                $seen[] = 'no rows';
            } elseif ($query->binding === Binding::BindParam) {
                $columns = array_fill(0, $statement->field_count, null);
                try {
                    $isStored = $statement->store_result();
                } catch (mysqli_sql_exception $exception) {
                    return self::returns($query) ? [$exception->getCode(), $exception->getMessage()] : throw $exception;
                }
                if (!$isStored && self::returns($query)) {
                    return [$statement->errno, $statement->error];
                }
                array_push($seen, $isStored, $this->stateOf($statement, !self::returns($query)));
                $statement->bind_result(...$columns);
                $rows = [];
                while ($statement->fetch() === true) {
                    // Its elements are references.
                    $rows[] = unserialize(serialize($columns));
                }
                $rows = Query::isOfItsOwn($query->sql) ? \count($rows) : PdoTwin::sorted($this->named($rows));
                array_push($seen, $rows, self::returns($query) ? null : $statement->num_rows);
                $statement->free_result();
            } else {
                try {
                    $result = $statement->get_result();
                } catch (mysqli_sql_exception $exception) {
                    return self::returns($query) ? [$exception->getCode(), $exception->getMessage()] : throw $exception;
                }
                if ($result === false && self::returns($query)) {
                    return [$statement->errno, $statement->error];
                }
                array_push($seen, ...$this->taken($result, $taking, $query->sql));
            }
        } while ($statement->more_results() && $statement->next_result());
        $seen[] = $this->stateOf($statement);

        return $seen;
    }

    /** Whether Larder runs statements of its own behind it, so that it has its rows, or a failure, at once. */
    private static function returns(Query $query): bool
    {
        return !self::mayStay($query->sql);
    }

    /** Whether Larder leaves its rows at the server, if the application wants it so. */
    private static function mayStay(string $sql): bool
    {
        return preg_match('/^(?!\/\*!)\W*SELECT\b(?!.*(?:;.|\b(?:writes|looks|INTO|FOR|LOCK)\b|@))/is', $sql) === 1;
    }

    /** @return list<mixed> */
    private function several(string $sql, Taking $taking): array
    {
        $isSeveral = str_contains($sql, '; ') || $this->ran % 2 === 0;
        $seen = [$isSeveral ? $this->database->multi_query($sql) : $this->database->real_query($sql)];
        $seen[] = $this->state(false);
        if ($seen[0] === true) {
            $isUsed = $taking === Taking::Looped && self::mayStay($sql) && $this->database->field_count > 0;
            array_push($seen, ...$this->made(
                $isUsed ? $this->database->use_result() : $this->database->store_result(),
                $taking,
                $sql,
            ));
        }

        return $seen;
    }

    /**
     * What a call of a method has made, and all results behind it.
     *
     * @return list<mixed>
     */
    private function made(mysqli_result|bool $result, Taking $taking, string $sql): array
    {
        $seen = [\is_bool($result) ? $result : 'rows', $this->state()];
        if ($result instanceof mysqli_result) {
            array_push($seen, ...$this->taken($result, $taking, $sql));
        }
        while ($this->database->more_results()) {
            array_push($seen, $this->database->next_result(), $this->state(false));
            $next = $this->database->store_result();
            $seen[] = $this->state();
            if ($next !== false) {
                array_push($seen, ...$this->taken($next, $taking === Taking::Half ? Taking::All : $taking, $sql));
            }
        }

        return $seen;
    }

    /** @return list<mixed> */
    private function taken(mysqli_result|false $result, Taking $taking, string $sql): array
    {
        if ($result === false) {
            return [false];
        }
        $fields = [];
        foreach ($result->fetch_fields() as $field) {
            $fields[] = array_diff_key(get_object_vars($field), ['max_length' => 0]);
        }
        $isStored = $result->type === MYSQLI_STORE_RESULT;
        $rows = [];
        match ($taking) {
            Taking::Numbers => $rows = $result->fetch_all(MYSQLI_NUM),
            Taking::Objects, Taking::Classes => self::until($rows, static fn(): mixed => $result->fetch_object()),
            Taking::LateClasses => self::until(
                $rows,
                static fn(): mixed => $result->fetch_object(TwinRow::class, ['given']),
            ),
            Taking::Looped, Taking::Set => $rows = iterator_to_array($result),
            Taking::Column => self::until($rows, static fn(): mixed => $result->fetch_column()),
            Taking::Half, Taking::Closed => $rows[] = $result->fetch_row(),
            Taking::Left => [],
            default => $rows = $result->fetch_all(MYSQLI_BOTH),
        };
        $isWhole = !\in_array($taking, [Taking::Half, Taking::Closed], true);
        $seen = [$fields, $isStored ? $result->num_rows : null, match (true) {
            Query::isOfItsOwn($sql) => \count($rows),
            $isWhole && !str_contains($sql, 'ORDER BY') => PdoTwin::sorted($this->named(PdoTwin::plain($rows))),
            default => PdoTwin::plain($rows),
        }];
        if ($taking === Taking::Half && $isStored) {
            $this->half = $result;
        } else {
            $result->free();
        }

        return $seen;
    }

    /**
     * @param list<mixed>       $rows
     * @param \Closure(): mixed $next
     */
    private static function until(array &$rows, \Closure $next): void
    {
        while (($row = $next()) !== null && $row !== false) {
            $rows[] = $row;
            \count($rows) < 100_000 || throw new LogicException('It does not end.');
        }
    }

    /**
     * @param bool $isStored false: rows may still have to be, and how many they are is only known to Larder
     *
     * @return array<string, mixed>
     */
    private function state(bool $isStored = true): array
    {
        $of = $this->database;
        // A state of class 01 cannot be put back.
        $state = str_replace('01000', 'HY000', $of->sqlstate);

        return [
            'affected' => $isStored || $of->field_count === 0 || $of->errno !== 0 ? $of->affected_rows : null,
            'id' => $of->insert_id,
            'errno' => $of->errno,
            'error' => $of->error,
            'state' => $state,
            'errors' => array_column($of->error_list, 'error', 'errno'),
            // Of a failure a server may have said before how wide its rows are.
            'fields' => $of->errno === 0 ? $of->field_count : null,
        ];
    }

    /**
     * @param bool $isStored as of state()
     *
     * @return array<string, mixed>
     */
    private function stateOf(mysqli_stmt $of, bool $isStored = true): array
    {
        $state = str_replace('01000', 'HY000', $of->sqlstate);

        return [
            'affected' => $isStored || $of->field_count === 0 || $of->errno !== 0 ? $of->affected_rows : null,
            'id' => $of->insert_id,
            'errno' => $of->errno,
            'error' => $of->error,
            'state' => $state,
            'errors' => array_column($of->error_list, 'error', 'errno'),
            'fields' => $of->field_count,
            'parameters' => $of->param_count,
            'rows' => $isStored ? $of->num_rows : null,
        ];
    }

    /**
     * With one name for both databases, and without the texts of errors if there are several statements: Larder sends
     * them one by one, and a text shows what was sent.
     *
     * @template T of array<mixed>
     *
     * @param T $seen
     *
     * @return T
     */
    private function named(array $seen): array
    {
        array_walk_recursive($seen, function (mixed &$value): void {
            if (!\is_string($value)) {
                return;
            }
            $value = $this->name === '' ? $value : str_replace($this->name, 'bench', $value);
            $value = $this->isSeveral && str_contains($value, 'SQL syntax') ? '' : $value;
        });

        return $seen;
    }
}
