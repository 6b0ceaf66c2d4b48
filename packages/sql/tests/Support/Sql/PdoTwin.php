<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

use PDO;
use PDOException;
use PDOStatement;
use TypeError;
use ValueError;

/** A PDO, plain or recording. */
final class PdoTwin implements Twin
{
    /** What ends all that a group of commands leaves open. */
    private const LEFT = ['ROLLBACK', 'UNLOCK TABLES'];

    /** SQLite's number of an error of a statement that ran. */
    private const CONSTRAINT = 19;

    /** What tells of the last statement by another one: docs/how-to/mariadb-and-postgresql.md has what differs. */
    private const NAMED = '/\bROW_COUNT\s*\(|\bSHOW\s+(?:COUNT\s*\(\*\)\s+)?(?:WARNINGS|ERRORS)'
        . '|@@(?:warning|error)_count/i';

    private ?PDOStatement $prepared = null;

    /** A statement whose rows were not all taken. */
    private ?PDOStatement $half = null;

    /** Whether the last write ran: behind one that SQLite refuses to prepare, its changes() is 0 with Larder. */
    private bool $isCounted = true;

    /** Whether PDO itself did not give the rows in the form that was wanted. */
    private bool $isRefused = false;

    private readonly bool $isSqlite;

    private readonly bool $isMariaDb;

    /**
     * @param string $name      of its database, which texts of errors have
     * @param bool   $hasLedger whether Larder's own rows are written behind a statement: SQLite's changes() counts them
     */
    public function __construct(
        private readonly PDO $database,
        private readonly string $name = '',
        private readonly bool $hasLedger = false,
    ) {
        $driver = $database->getAttribute(PDO::ATTR_DRIVER_NAME);
        [$this->isSqlite, $this->isMariaDb] = [$driver === 'sqlite', $driver === 'mysql'];
    }

    public function answer(Command $command, Taking $taking): array
    {
        $sql = $command->query->sql;
        $before = $this->half;
        $this->half = null;
        $seen = [];
        try {
            if ($command->action === Action::Prepare) {
                $this->prepared = null;
                $this->prepared = $this->database->prepare($sql);
            }
            $statement = match ($command->action) {
                Action::Run => $command->query->run($this->database),
                Action::Execute => $command->query->execute($this->prepared ?? throw new PDOException('none')),
                default => null,
            };
            $seen[] = match ($command->action) {
                Action::Exec => $this->database->exec($sql),
                // PDO does not see that SQLite has ended a transaction by itself.
                Action::Begin => $this->isSqlite ? $this->database->exec('BEGIN') : $this->database->beginTransaction(),
                Action::Commit => $this->isSqlite ? $this->database->exec('COMMIT') : $this->database->commit(),
                Action::RollBack => $this->isSqlite ? $this->database->exec('ROLLBACK') : $this->database->rollBack(),
                default => null,
            };
            $seen[] = $this->errors($this->database);
            $this->isCounted = $this->isCounted || $command->counts();
            // For what is no write, exec() tells changes().
            $counts = $this->isCounted && (!$this->hasLedger || $command->counts());
            $seen = $this->isSqlite && !$counts ? [] : $seen;
            if ($statement !== null) {
                array_push($seen, ...$this->told($statement, $sql, $taking, !$this->isSqlite || $counts));
            }
        } catch (PDOException $exception) {
            // Larder sends several statements one by one, and the message shows what was sent.
            $isOne = !str_contains($sql, '; ') || $this->isSqlite;
            $seen = [$exception->getCode(), $isOne ? $exception->errorInfo : $exception->errorInfo[0] ?? null];
            $seen[] = $isOne ? $exception->getMessage() : '';
            // The drivers of SQLite and PostgreSQL keep one text for the connection and its statements.
            $isOwn = $isOne && $command->query->binding === Binding::Text && $command->action !== Action::Execute;
            $seen[] = $isOwn ? $this->errors($this->database) : $this->database->errorCode();
            if (!$this->isSqlite) {
                // What lastInsertId() says behind an error depends on what becomes of the statement. And MariaDB's
                // driver does not know whether a statement that failed has ended the transaction before.
                return $this->named([...$seen, $this->isMariaDb || $this->database->inTransaction()]);
            }
            $this->isCounted = $this->isCounted && ($exception->errorInfo[1] ?? 0) === self::CONSTRAINT;
        } finally {
            unset($before);
        }

        return $this->named([...$seen, ...($this->isSqlite ? $this->counts() : $this->session())]);
    }

    public function end(): void
    {
        $this->prepared = $this->half = null;
        foreach (self::LEFT as $sql) {
            try {
                $this->database->exec($sql);
            } catch (PDOException) {
                // Nothing was open, or the database has no such statement.
            }
        }
    }

    public function rows(string $table): array
    {
        $statement = $this->database->query("SELECT * FROM $table ORDER BY id, 1, 2, 3", PDO::FETCH_ASSOC);
        /** @var list<array<string, scalar|null>> $rows */
        $rows = $statement === false ? [] : $statement->fetchAll();

        return $rows;
    }

    /** @return list<mixed> */
    private function told(PDOStatement $statement, string $sql, Taking $taking, bool $counts): array
    {
        $told = [];
        $isWhole = !\in_array($taking, [Taking::Half, Taking::Closed, Taking::Left], true);
        do {
            $metas = [];
            for ($i = 0; $i < $statement->columnCount(); ++$i) {
                $meta = $statement->getColumnMeta($i);
                $metas[] = $meta === false ? [] : array_diff_key($meta, ['pgsql:table_oid' => 0]);
            }
            $count = $counts ? $statement->rowCount() : null;
            $told[] = [$count, $statement->columnCount(), $metas, $this->errors($statement)];
            $rows = $metas === [] ? [] : $this->taken($statement, $taking);
            $told[] = match (true) {
                Query::isOfItsOwn($sql) => \count($rows),
                preg_match(self::NAMED, $sql) === 1 => [],
                $isWhole && !str_contains($sql, 'ORDER BY') => self::sorted($this->named(self::plain($rows))),
                default => self::plain($rows),
            };
            // The other drivers know no next one, and fail with what happens to be left of an earlier error.
            $hasMore = $isWhole && $this->isMariaDb && $statement->nextRowset();
            // So does PDO itself, where it refuses a form of the rows.
            $told[] = $this->isRefused ? $statement->errorCode() : $this->errors($statement);
        } while ($hasMore);
        if ($taking === Taking::Half) {
            $this->half = $statement;
        }

        return $told;
    }

    /** @return array<mixed> */
    private function taken(PDOStatement $statement, Taking $taking): array
    {
        $rows = [];
        $this->isRefused = false;
        try {
            switch ($taking) {
                case Taking::All: return $statement->fetchAll();
                case Taking::Numbers: return $statement->fetchAll(PDO::FETCH_NUM);
                case Taking::Classes: return $statement->fetchAll(PDO::FETCH_CLASS, TwinRow::class);
                case Taking::LateClasses:
                    return $statement->fetchAll(PDO::FETCH_CLASS | PDO::FETCH_PROPS_LATE, TwinRow::class, [1, 'two']);
                case Taking::NamedClasses: return $statement->fetchAll(PDO::FETCH_CLASS | PDO::FETCH_CLASSTYPE);
                case Taking::Called:
                    return $statement->fetchAll(PDO::FETCH_FUNC, static fn(mixed ...$row): array => [...$row, '']);
                case Taking::Pairs: return $statement->fetchAll(PDO::FETCH_KEY_PAIR);
                case Taking::Groups: return $statement->fetchAll(PDO::FETCH_GROUP);
                case Taking::Unique: return $statement->fetchAll(PDO::FETCH_UNIQUE | PDO::FETCH_ASSOC);
                case Taking::Objects:
                    while (($row = $statement->fetchObject(TwinRow::class, ['one'])) !== false) {
                        $rows[] = $row;
                    }
                    break;
                case Taking::Into:
                    $into = new TwinRow('into');
                    $statement->setFetchMode(PDO::FETCH_INTO, $into);
                    foreach ($statement as $row) {
                        $rows[] = [$row === $into, get_object_vars($into)];
                    }
                    break;
                case Taking::Column:
                    while (($value = $statement->fetchColumn()) !== false && \count($rows) < 1_000) {
                        $rows[] = $value;
                    }
                    break;
                case Taking::Bound:
                    $statement->bindColumn(1, $value);
                    while ($statement->fetch(PDO::FETCH_BOUND)) {
                        $rows[] = $value;
                    }
                    break;
                case Taking::Set:
                    $statement->setFetchMode(PDO::FETCH_NUM);
                    // no break
                case Taking::Looped:
                case Taking::Half:
                    foreach ($statement as $key => $row) {
                        $rows[] = [$key, $row];
                        if ($taking === Taking::Half) {
                            break;
                        }
                    }
                    break;
                case Taking::Closed:
                    $rows = [$statement->fetch(), $statement->closeCursor(), $statement->fetch()];
                    break;
                case Taking::Left:
            }
        } catch (PDOException|TypeError|ValueError $exception) {
            $this->isRefused = true;
            $rows[] = [$exception::class, $exception->getMessage()];
        }

        return $rows;
    }

    /** @return list<mixed> */
    private function counts(): array
    {
        $changes = $this->isCounted && !$this->hasLedger ? 'changes()' : '0';
        $of = $this->database->query("SELECT last_insert_rowid(), $changes");

        return [$this->database->lastInsertId(), $of === false ? [] : $of->fetchAll(PDO::FETCH_NUM)];
    }

    /** @return list<mixed> */
    private function session(): array
    {
        try {
            $number = $this->database->lastInsertId();
        } catch (PDOException $exception) {
            $number = $exception->getCode();
        }

        return [$this->database->inTransaction(), $number];
    }

    /** @return array<mixed> */
    private function errors(PDO|PDOStatement $of): array
    {
        return [$of->errorCode(), $of->errorInfo()];
    }

    /**
     * With one name for both databases.
     *
     * @template T of array<mixed>
     *
     * @param T $seen
     *
     * @return T
     */
    private function named(array $seen): array
    {
        if ($this->name !== '') {
            array_walk_recursive($seen, function (mixed &$value): void {
                $value = \is_string($value) ? str_replace($this->name, 'bench', $value) : $value;
            });
        }

        return $seen;
    }

    /**
     * @param array<mixed> $rows
     *
     * @return array<mixed> with objects and streams as arrays and texts
     */
    public static function plain(array $rows): array
    {
        return array_map(static fn(mixed $value): mixed => match (true) {
            \is_array($value) => self::plain($value),
            \is_object($value) => [$value::class, self::plain(get_object_vars($value))],
            \is_resource($value) => ['stream', stream_get_contents($value, offset: 0)],
            default => $value,
        }, $rows);
    }

    /**
     * @param array<mixed> $rows
     *
     * @return list<string>
     */
    public static function sorted(array $rows): array
    {
        $texts = [];
        foreach ($rows as $key => $row) {
            $texts[] = (\is_string($key) ? "$key " : '') . serialize($row);
        }
        sort($texts);

        return $texts;
    }
}
