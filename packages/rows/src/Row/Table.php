<?php

declare(strict_types=1);

namespace Larder\Row;

use Closure;
use Larder\Dependency\Name;
use Larder\Exception\UnknownName;
use Larder\NearStore;
use Larder\Row\Exception\NotUnique;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\Table as Declared;
use Larder\Sql\Tracker\Profile;
use Larder\Sql\Tracker\TrackedConnection;
use PDOException;

/**
 * The rows of one table: by key, by unique key, and by the columns that they are equal in.
 *
 * What is returned is what a SELECT by PDO would have returned. Inside a transaction, while a page or a value is being
 * recorded, and where a value that is asked for is not of the column's own type, it is that SELECT, and nothing is
 * stored.
 *
 * @phpstan-type Row array<string, mixed>
 * @phpstan-type Equal array<string, scalar|null>
 * @phpstan-type Order array<string, 'asc'|'desc'>
 */
final readonly class Table
{
    /** Ids of a list that are stored. */
    public const MOST = 1000;

    /** Bytes of a value that a name holds as it is. Of a longer one it has a hash, which is looked through. */
    private const LONGEST = 80;

    /** A value that is its own canonical text, whatever the column compares by. */
    private const SIMPLE = '/^(?:0|[1-9][0-9]{0,14}|[a-z_][a-z0-9_.-]{0,79})$/D';

    private string $prefix;

    private string $generation;

    private Query $query;

    private Columns $columns;

    private ?NearStore $near;

    private Profile $profile;

    private bool $isFollowed;

    /** @internal Rows::table() makes it. */
    public function __construct(
        private string $name,
        private TrackedConnection $connection,
        private Lookup $lookup,
    ) {
        $this->prefix = $name . ':';
        $this->generation = StoredRows::generation($name);
        $this->query = new Query($connection->dialect(), $name);
        $this->columns = new Columns($name, $connection, $lookup);
        $this->near = $lookup->near;
        $this->profile = $connection->tracker()->profile();
        $this->isFollowed = $lookup->isFollowed;
    }

    /**
     * The row with this key.
     *
     * @param int|string|non-empty-array<string, scalar|null> $key     a composite key by its columns
     * @param non-empty-list<string>|null                     $columns that are wanted, in this order; null: all
     *
     * @return Row|null null: there is none
     *
     * @throws UnknownName  of a table, or a column
     * @throws PDOException
     */
    public function find(int|string|array $key, ?array $columns = null): ?array
    {
        if (\is_array($key)) {
            return $this->findBy($key, $columns);
        }
        if (\is_int($key)) {
            $name = $this->prefix . $key;
            // The shortest way of the most common call.
            if ($this->near !== null
                && (!$this->isFollowed || $this->near->get(Heartbeat::KEY) === Heartbeat::BEATS)) {
                $entry = $this->near->get($name);
                if (\is_array($entry) && isset($entry[2]) && $entry[2] === $this->profile->present()) {
                    $generation = $this->near->get($this->generation);
                    if (\is_array($generation) && isset($generation['id'], $generation['integer'])
                        && $generation['id'] === $entry[0] && $generation['integer'] === true) {
                        /** @var Row|false $row */
                        $row = $entry[1];

                        return $row === false ? null : ($columns === null ? $row : $this->project($row, $columns));
                    }
                }
            }
            $row = $this->lookup->number(
                $name,
                fn(Generation $known, ?Source $source): array|false|null => $this->byNumber($key, $known, $source),
            );
            if ($row !== null) {
                return $row === false ? null : ($columns === null ? $row : $this->project($row, $columns));
            }
        }

        return array_values($this->findMany([$key], $columns))[0];
    }

    /**
     * The rows with these keys, in the order asked for: all in one trip to the store, and those that are missing in one
     * statement.
     *
     * @param list<int|string>            $keys
     * @param non-empty-list<string>|null $columns that are wanted, in this order; null: all
     *
     * @return array<int|string, Row|null> by key; null: there is none
     *
     * @throws UnknownName
     * @throws PDOException
     */
    public function findMany(array $keys, ?array $columns = null): array
    {
        if ($keys === []) {
            return [];
        }
        $names = [];
        foreach ($keys as $key) {
            if (!\is_int($key)) {
                $names = null;
                break;
            }
            $names[$key] = $this->prefix . $key;
        }
        $rows = $names === null ? null : $this->lookup->numbers($names, function (
            array $wanted,
            ?Source $source,
        ) use ($names): ?array {
            /** @var list<string> $wanted */
            $made = $this->byKeys(array_intersect_key(array_flip($names), array_flip($wanted)), $source);

            return $made === null ? null : $made + array_fill_keys($wanted, false);
        });
        if ($rows !== null) {
            foreach ($rows as $key => $row) {
                if ($row === false || $columns !== null) {
                    $rows[$key] = $row === false ? null : $this->project($row, $columns);
                }
            }

            /** @var array<int, Row|null> */
            return $rows;
        }
        $rows = $this->looked(
            $keys,
            $names === null ? null : array_map(fn(int|string $key): string => $this->prefix . $key, $keys),
            self::nameOfKey(...),
            fn(array $wanted, ?Source $source): ?array => $this->byKeys($wanted, $source),
            areNumbers: true,
        );
        if ($rows === null) {
            $rows = $this->selectKeys($keys);
        } elseif ($names === null) {
            $rows = $this->certain(
                $keys,
                $rows,
                fn(int|string $key): array|false => $this->selectKeys([$key])[0],
            );
        }

        return array_combine($keys, $this->projected($rows, $columns));
    }

    /**
     * The row that is equal in the columns of a unique key.
     *
     * @param non-empty-array<string, scalar|null> $equal   values by column
     * @param non-empty-list<string>|null          $columns that are wanted, in this order; null: all
     *
     * @return Row|null null: there is none
     *
     * @throws NotUnique    if there are several
     * @throws UnknownName
     * @throws PDOException
     */
    public function findBy(array $equal, ?array $columns = null): ?array
    {
        return $this->findManyBy([$equal], $columns)[0];
    }

    /**
     * The same for many values of one unique key: all in one trip to the store, and those that are missing in one
     * statement.
     *
     * @param list<non-empty-array<string, scalar|null>> $many    values by column, of the same columns each
     * @param non-empty-list<string>|null                $columns that are wanted, in this order; null: all
     *
     * @return list<Row|null> in the order asked for; null: there is none
     *
     * @throws NotUnique    if there are several of one
     * @throws UnknownName
     * @throws PDOException
     */
    public function findManyBy(array $many, ?array $columns = null): array
    {
        if ($many === []) {
            return [];
        }
        $sets = array_map(self::sorted(...), $many);
        $rows = $this->looked(
            $sets,
            $this->guess($sets),
            self::nameOfSet(...),
            fn(array $wanted, ?Source $source): ?array => $this->bySets($wanted, $source),
            [array_keys($sets[0])],
        );
        $plain = $this->selectOne(...);
        $rows = $rows === null ? array_map($plain, $sets) : $this->certain($sets, $rows, $plain);

        return $this->projected($rows, $columns);
    }

    /**
     * All rows that are equal in these columns, in the order of their keys.
     *
     * @param string|non-empty-array<string, scalar|null> $equal   a column, or values by column
     * @param scalar|null                                 $value   of the column
     * @param non-empty-list<string>|null                 $columns that are wanted, in this order; null: all
     *
     * @return list<Row>
     *
     * @throws UnknownName
     * @throws PDOException
     */
    public function findAll(
        string|array $equal,
        int|float|string|bool|null $value = null,
        ?array $columns = null,
    ): array {
        $equal = \is_string($equal) ? [$equal => $value] : $equal;
        $ids = $this->ids($equal, []);
        $rows = $ids === null || \count($ids) > self::MOST
            ? $this->selectAll($equal, [], null, 0)
            : $this->present($ids, $equal);

        return $columns === null ? $rows : array_map(fn(array $row): array => $this->project($row, $columns), $rows);
    }

    /**
     * The ids of the rows that are equal in these columns, as far as MOST and one more. They are stored under the set's
     * name, and end when a row comes into the set, goes out of it or changes its place; not by another edit.
     *
     * @internal for Listing
     *
     * @param Equal $equal empty: the whole table
     * @param Order $order columns; rows that are equal in them, by key
     *
     * @return list<int|string>|null null: they are not stored
     *
     * @throws PDOException
     */
    public function ids(array $equal, array $order): ?array
    {
        $equal = self::sorted($equal);
        if (array_filter($equal, static fn(mixed $value): bool => \strlen((string) $value) > self::LONGEST) !== []) {
            return null;
        }
        $sets = $equal === [] ? [] : [array_keys($equal)];
        $by = array_keys($order);
        $ids = null;
        // A row changes its place when a column of some set changes.
        $ordered = array_values(array_unique([...array_keys($equal), ...$by]));
        sort($ordered);
        if ($by !== [] && $ordered !== []) {
            $sets[] = $ordered;
        }
        $table = $this->lookup->generation()?->table;
        $key = $table->key ?? '';
        if ($table === null || $key === '') {
            return null;
        }
        // What columns a declared table has, only the database says: it is asked where a list is made.
        if ($table->allColumns !== null) {
            $this->columns->must($ordered);
        }
        if (!$this->lookup->knows(self::withoutKey($sets, $key))) {
            return null;
        }
        [$sql, $values] = $this->query->ids($key, $equal, $order, self::MOST + 1);
        $name = '';
        $found = $this->lookup->values(
            static function (Generation $generation) use ($equal, &$name): ?array {
                $set = $equal === [] ? $generation->table->whole() : self::setOf($generation->table, $equal);
                $name = $set->name ?? '';

                return $set === null ? null : [StoredRows::ids($set) => $name];
            },
            function (array $keys, ?Source $source) use ($sql, $values, $ordered, &$name): ?array {
                $this->columns->must($ordered);
                $rows = $source === null
                    ? $this->connection->select($sql, $values)
                    : $source->free($sql, $values, [$name]);

                /** @var list<string> $keys */
                return $rows === null ? null : array_fill_keys($keys, array_column($rows, 'id'));
            },
            part: 'ids ' . http_build_query($order),
        );

        /** @var list<int|string>|null */
        return $found === null ? null : array_values($found)[0] ?? [];
    }

    /**
     * The rows with these ids that are there, and are equal in these columns.
     *
     * @internal for Listing
     *
     * @param list<int|string> $ids
     * @param Equal            $equal
     *
     * @return list<Row>
     *
     * @throws PDOException
     */
    public function present(array $ids, array $equal): array
    {
        $table = $this->lookup->generation()?->table;
        $name = $table === null ? null : self::setOf($table, self::sorted($equal))?->name;
        $rows = [];
        foreach ($this->findMany($ids) as $row) {
            // List and row are of two moments: the row may have gone out of the list in between.
            $isIn = $row !== null && ($table === null || $name === null
                || self::canonicalSet($table, $row, array_keys($equal)) === $name);
            if ($isIn) {
                $rows[] = $row;
            }
        }

        return $rows;
    }

    /**
     * Compares what the store has of these keys with what the database has.
     *
     * @internal for Scrubber
     *
     * @param non-empty-list<int|string> $keys
     *
     * @return array<int|string, bool> by each key that the store has: whether it is the row, or that there is none
     *
     * @throws UnknownName
     * @throws PDOException
     */
    public function compared(array $keys): array
    {
        $stored = $this->lookup->stored(static function (Generation $generation) use ($keys): array {
            $names = [];
            foreach ($keys as $key) {
                $names[$key] = self::nameOfKey($generation->table, $key);
            }

            return array_filter($names, is_string(...));
        });
        $there = array_keys($stored);
        $compared = [];
        foreach ($there === [] ? [] : $this->selectKeys($there) as $i => $row) {
            $compared[$there[$i]] = $stored[$there[$i]] === $row;
        }

        return $compared;
    }

    /**
     * The rows by a plain SELECT.
     *
     * @internal for Listing
     *
     * @param Equal    $equal
     * @param Order    $order
     * @param int|null $limit null: all
     *
     * @return list<Row>
     *
     * @throws UnknownName
     * @throws PDOException
     */
    public function selectAll(array $equal, array $order, ?int $limit, int $offset): array
    {
        $table = $this->connection->registry()->get($this->name);
        $this->columns->must([...array_keys($equal), ...array_keys($order)]);
        [$sql, $values] = $this->query->all($table->key, self::sorted($equal), $order, $limit, $offset);

        return $this->connection->select($sql, $values);
    }

    /**
     * @internal
     *
     * @param Row               $row
     * @param list<string>|null $columns
     *
     * @return Row
     *
     * @throws UnknownName
     */
    public function project(array $row, ?array $columns): array
    {
        if ($columns === null) {
            return $row;
        }
        $projected = [];
        foreach ($columns as $column) {
            if (!\array_key_exists($column, $row)) {
                throw UnknownName::of("column of $this->name", $column, array_keys($row));
            }
            $projected[$column] = $row[$column];
        }

        return $projected;
    }

    /**
     * Looks up rows that have a name of their own each.
     *
     * @template A of int|string|array<string, scalar|null>
     *
     * @param non-empty-list<A>                                                 $asked
     * @param list<string>|null                                                 $guess the names, if they may be these
     * @param Closure(Declared, A): (string|null)                               $name
     * @param Closure(array<string, A>, Source|null): (array<string, Row>|null) $read  those that are there, by name
     * @param list<non-empty-list<string>>                                      $sets  that names are of
     * @param bool                                                              $areNumbers whether the guess is right
     *     where each integer is a key
     *
     * @return list<Row|false>|null null: they are not stored
     */
    private function looked(
        array $asked,
        ?array $guess,
        Closure $name,
        Closure $read,
        array $sets = [],
        bool $areNumbers = false,
    ): ?array {
        $named = $guess ?? [];
        $guessed = $guess === null ? null : array_combine($guess, $guess);
        $fixed = $areNumbers ? $guessed : null;
        $names = static function (Generation $generation) use ($asked, $guess, $fixed, $name, &$named): ?array {
            if ($fixed !== null && $generation->isNumbered) {
                $named = $guess ?? [];

                return $fixed;
            }
            $named = [];
            foreach ($asked as $one) {
                $text = $name($generation->table, $one);
                if ($text === null) {
                    return null;
                }
                $named[] = $text;
            }

            return array_combine($named, $named);
        };
        $reader = static function (array $keys, ?Source $source) use ($asked, $read, &$named): ?array {
            /** @var list<string> $keys */
            $rows = $read(array_intersect_key(array_combine($named, $asked), array_flip($keys)), $source);

            return $rows === null ? null : $rows + array_fill_keys($keys, false);
        };
        $values = $this->lookup->values($names, $reader, $guessed);
        if ($values === null && $sets !== []) {
            $this->columns->must(array_merge(...$sets));
            $values = $this->lookup->learns($sets) ? $this->lookup->values($names, $reader) : null;
        }

        if ($values === null) {
            return null;
        }
        $rows = [];
        foreach ($named as $text) {
            $rows[] = $values[$text] ?? false;
        }

        /** @var list<Row|false> */
        return $rows;
    }

    /**
     * The same rows, where those that were found by the hash of a long value are the ones that were asked for.
     *
     * @template A of int|string|array<string, scalar|null>
     *
     * @param non-empty-list<A>       $asked
     * @param list<Row|false>         $rows
     * @param Closure(A): (Row|false) $plain reads it from the database
     *
     * @return list<Row|false>
     */
    private function certain(array $asked, array $rows, Closure $plain): array
    {
        foreach ($asked as $i => $one) {
            $texts = array_filter((array) $one, is_string(...));
            if ($texts === [] || max(array_map(strlen(...), $texts)) <= self::LONGEST) {
                continue;
            }
            $table = $this->connection->registry()->get($this->name);
            $wanted = \is_array($one) ? $one : [$table->key => $one];
            $row = $rows[$i] ?? false;
            $isSame = $row !== false;
            foreach ($wanted as $column => $value) {
                $isSame = $isSame && self::areSame($table->columns[$column] ?? null, $value, $row[$column] ?? null);
            }
            $rows[$i] = $isSame ? $row : $plain($one);
        }

        return array_values($rows);
    }

    /** @return Row|false|null false: there is none; null: the source has refused */
    private function byNumber(int $key, Generation $known, ?Source $source): array|false|null
    {
        $sql = $this->query->byKey($known->table->key, 1);
        $rows = $source === null
            ? $this->connection->select($sql, [$key])
            : $source->free($sql, [$key], [$this->prefix . $key], true);

        return $rows === null ? null : $rows[0] ?? false;
    }

    /**
     * @param array<string, int|string> $wanted keys by name
     *
     * @return array<string, Row>|null by name
     */
    private function byKeys(array $wanted, ?Source $source): ?array
    {
        $table = $this->lookup->generation()->table ?? $this->connection->registry()->get($this->name);
        $keys = array_values($wanted);
        $sql = $this->query->byKey($table->key, \count($keys));
        $rows = $source === null
            ? $this->connection->select($sql, $keys)
            : $source->free($sql, $keys, array_keys($wanted), \count($keys) === 1);
        if ($rows === null) {
            return null;
        }
        if (\count($wanted) === 1) {
            return $rows === [] ? [] : [array_key_first($wanted) => $rows[0]];
        }
        $found = [];
        foreach ($rows as $row) {
            $value = $row[$table->key] ?? null;
            $name = \is_int($value) || \is_string($value) ? self::canonicalKey($table, $value) : null;
            if ($name === null || !isset($wanted[$name])) {
                // It is another text that compares as equal to one of them: each is asked for by itself.
                return $this->oneByOne($wanted, $source, $this->byKeys(...));
            }
            $found[$name] = $row;
        }

        return $found;
    }

    /**
     * @param array<string, Equal> $wanted by name
     *
     * @return array<string, Row>|null by name
     *
     * @throws NotUnique
     */
    private function bySets(array $wanted, ?Source $source): ?array
    {
        if ($wanted === []) {
            return [];
        }
        $rows = $this->select(array_values($wanted), $source, array_keys($wanted));
        if ($rows === null) {
            return null;
        }
        if (\count($wanted) === 1) {
            $row = $this->one($rows, array_values($wanted)[0]);

            return $row === false ? [] : [array_key_first($wanted) => $row];
        }
        $table = $this->connection->registry()->get($this->name);
        $columns = array_keys(array_values($wanted)[0]);
        $found = [];
        foreach ($rows as $row) {
            $name = self::canonicalSet($table, $row, $columns);
            if ($name === null || !isset($wanted[$name])) {
                return $this->oneByOne($wanted, $source, $this->bySets(...));
            }
            if (isset($found[$name])) {
                throw NotUnique::of($this->name, $columns);
            }
            $found[$name] = $row;
        }

        return $found;
    }

    /**
     * @template A
     *
     * @param array<string, A>                                                  $wanted by name
     * @param Closure(array<string, A>, Source|null): (array<string, Row>|null) $read
     *
     * @return array<string, Row>|null
     */
    private function oneByOne(array $wanted, ?Source $source, Closure $read): ?array
    {
        $found = [];
        foreach ($wanted as $name => $one) {
            $rows = $read([$name => $one], $source);
            if ($rows === null) {
                return null;
            }
            $found += $rows;
        }

        return $found;
    }

    /**
     * @param non-empty-list<Equal> $sets
     * @param list<string>          $names
     *
     * @return ($source is null ? list<Row> : list<Row>|null)
     */
    private function select(array $sets, ?Source $source, array $names = []): ?array
    {
        $this->columns->must(array_keys(array_merge(...$sets)));
        [$sql, $values] = $this->query->bySets($sets);

        return $source === null ? $this->connection->select($sql, $values) : $source->free($sql, $values, $names);
    }

    /**
     * @param Equal $equal
     *
     * @return Row|false
     *
     * @throws NotUnique
     */
    private function selectOne(array $equal): array|false
    {
        return $this->one($this->select([$equal], null), $equal);
    }

    /**
     * @param list<Row> $rows
     * @param Equal     $equal
     *
     * @return Row|false
     *
     * @throws NotUnique
     */
    private function one(array $rows, array $equal): array|false
    {
        return \count($rows) > 1 ? throw NotUnique::of($this->name, array_keys($equal)) : $rows[0] ?? false;
    }

    /**
     * The rows of keys by a plain SELECT, each found as the database compares it.
     *
     * @param non-empty-list<int|string> $keys
     *
     * @return list<Row|false>
     */
    private function selectKeys(array $keys): array
    {
        $table = $this->connection->registry()->get($this->name);
        if ($table->key === '') {
            throw UnknownName::of('key of one column in', $this->name, []);
        }
        $names = array_map(static fn(int|string $key): ?string => self::nameOfKey($table, $key), $keys);
        $wanted = [];
        foreach ($names as $i => $name) {
            $wanted[$name ?? "\0$i"] = $keys[$i];
        }
        $found = \in_array(null, $names, true)
            ? $this->oneByOne($wanted, null, $this->byKeys(...))
            : $this->byKeys($wanted, null);

        return array_map(
            static fn(int $i, ?string $name): array|false => $found[$name ?? "\0$i"] ?? false,
            array_keys($names),
            $names,
        );
    }

    /**
     * @param list<Row|false>   $rows
     * @param list<string>|null $columns
     *
     * @return list<Row|null>
     */
    private function projected(array $rows, ?array $columns): array
    {
        $projected = [];
        foreach ($rows as $row) {
            $projected[] = match (true) {
                $row === false => null,
                $columns === null => $row,
                default => $this->project($row, $columns),
            };
        }

        return $projected;
    }

    /**
     * The names of sets, if they are the same whatever type their columns have.
     *
     * @param list<Equal> $sets
     *
     * @return list<string>|null
     */
    private function guess(array $sets): ?array
    {
        $names = [];
        foreach ($sets as $equal) {
            $texts = array_map(strval(...), array_filter(
                $equal,
                static fn(mixed $value): bool => \is_int($value)
                    || (\is_string($value) && preg_match(self::SIMPLE, $value) === 1),
            ));
            if (\count($texts) !== \count($equal)) {
                return null;
            }
            $names[] = Name::set($this->name, $texts)->name;
        }

        return $names;
    }

    /** @return string|null null: it is not known which values equal this one */
    private static function nameOfKey(Declared $table, int|string $key): ?string
    {
        $type = $table->columns[$table->key] ?? null;

        return $type?->isOwn($key) === true ? self::canonicalKey($table, $key) : null;
    }

    private static function canonicalKey(Declared $table, int|string $key): ?string
    {
        $text = self::canonical($table->columns[$table->key] ?? null, $key);

        return $text === null ? null : Name::row($table->name, $text)->name;
    }

    /** @param Equal $equal sorted by column */
    private static function nameOfSet(Declared $table, array $equal): ?string
    {
        return self::setOf($table, $equal)?->name;
    }

    /** @param Equal $equal sorted by column */
    private static function setOf(Declared $table, array $equal): ?Name
    {
        if (!\in_array(array_keys($equal), $table->sets, true) && array_keys($equal) !== [$table->key]) {
            return null;
        }
        $texts = [];
        foreach ($equal as $column => $value) {
            $type = $table->columns[$column];
            $isOwn = $value === null || ((\is_int($value) || \is_string($value)) && $type->isOwn($value));
            $texts[$column] = $value === null || !$isOwn ? null : self::canonical($type, $value);
            if ($value !== null && $texts[$column] === null) {
                return null;
            }
        }

        return array_keys($equal) === [$table->key]
            ? Name::row($table->name, (string) $texts[$table->key])
            : Name::set($table->name, $texts);
    }

    /**
     * @param Row          $row
     * @param list<string> $columns
     *
     * @return string|null the name of the set that a row is in; null: it is not known
     */
    private static function canonicalSet(Declared $table, array $row, array $columns): ?string
    {
        $texts = [];
        foreach ($columns as $column) {
            $value = $row[$column] ?? null;
            $text = \is_scalar($value) ? self::canonical($table->columns[$column] ?? null, $value) : null;
            if ($value !== null && $text === null) {
                return null;
            }
            $texts[$column] = $text;
        }
        ksort($texts);

        return array_keys($texts) === [$table->key]
            ? Name::row($table->name, (string) $texts[$table->key])->name
            : Name::set($table->name, $texts)->name;
    }

    private static function canonical(?ColumnType $type, int|float|string|bool $value): ?string
    {
        return $type?->canonical($value);
    }

    private static function areSame(?ColumnType $type, mixed $one, mixed $other): bool
    {
        return ($one === null && $other === null) || (\is_scalar($one) && \is_scalar($other)
            && $type?->canonical($one) !== null && $type->canonical($one) === $type->canonical($other));
    }

    /**
     * @template E of Equal
     *
     * @param E $equal
     *
     * @return E
     */
    private static function sorted(array $equal): array
    {
        ksort($equal);

        return $equal;
    }

    /**
     * @param list<non-empty-list<string>> $sets
     *
     * @return list<non-empty-list<string>> without the key, which never changes, and those that then are empty
     */
    private static function withoutKey(array $sets, string $key): array
    {
        $others = array_map(static fn(array $set): array => array_values(array_diff($set, [$key])), $sets);

        return array_values(array_filter($others, static fn(array $set): bool => $set !== []));
    }
}
