<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Larder\Exception\LarderException;
use Larder\Sql\Schema\Table;
use Larder\Sql\Tracker\KeyedRows;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\Writes;
use Larder\Tests\Support\NotingAnnouncer;
use Larder\Tests\Support\Sql\Action;
use Larder\Tests\Support\Sql\Command;
use Larder\Tests\Support\Sql\WriteMaker;
use PDO;
use PDOException;
use PDOStatement;
use PHPUnit\Framework\Assert;

/**
 * A recording connection and a plain one, of two databases with the same tables: what is done on both must answer the
 * same and leave the same rows, and each row that has changed must be named, as it was and as it is.
 *
 * @phpstan-type Rows array<string, list<array<string, scalar|null>>>
 */
final class TwinConnections
{
    /** What ends all that a group of commands leaves open. */
    private const LEFT = ['ROLLBACK', 'UNLOCK TABLES'];

    /** SQLite's number of an error of a statement that ran. */
    private const CONSTRAINT = 19;

    /** How often a change of a table was followed row by row. */
    public int $exact = 0;

    /** How many commands ran. */
    public int $ran = 0;

    /** @var list<string> names that were announced */
    private array $announced = [];

    /** @var array<int, PDOStatement> by connection */
    private array $prepared = [];

    /** Whether the last write ran: behind one that SQLite refuses to prepare, its changes() is 0 with Larder. */
    private bool $isCounted = true;

    /** @param list<string> $tables */
    public function __construct(
        private readonly PDO $plain,
        private readonly RecordingPdo $ours,
        private readonly array $tables,
    ) {
        NotingAnnouncer::at($ours, function (array $names, Writes $writes): void {
            $all = $writes->isAll() ? ['all'] : [];
            $this->announced = [...$this->announced, ...array_map(strval(...), $names), ...$all];
        }, function (?array $tables): void {
            $of = array_map(static fn(string $table): string => "$table!", $tables ?? []);
            $this->announced = [...$this->announced, ...($tables === null ? ['all'] : $of)];
        });
    }

    public function play(WriteMaker $writes, int $times): void
    {
        for (; $times > 0; --$times) {
            $before = $this->rows($this->ours);
            $this->announced = $this->prepared = [];
            $trace = '';
            foreach ($writes->make() as $command) {
                $trace .= "$command\n";
                $this->run($command, $trace);
            }
            $this->end();
            $after = $this->rows($this->ours);
            Assert::assertSame($this->rows($this->plain), $after, $trace);
            foreach ($this->tables as $table) {
                $missing = $this->missing($this->ours->registry()->get($table), $before[$table], $after[$table]);
                Assert::assertSame([], $missing ?? [], $trace . implode(' ', $this->announced));
                $this->exact += $missing !== null && $before[$table] !== $after[$table] ? 1 : 0;
            }
        }
    }

    private function run(Command $command, string $trace): void
    {
        try {
            $ours = $this->outcome($this->ours, $command);
        } catch (LarderException) {
            // It is refused, so that nothing of it has happened.
            return;
        }
        ++$this->ran;
        Assert::assertSame($this->outcome($this->plain, $command), $ours, $trace);
    }

    private function end(): void
    {
        foreach ([$this->plain, $this->ours] as $connection) {
            foreach (self::LEFT as $sql) {
                try {
                    $connection->exec($sql);
                } catch (PDOException) {
                    // Nothing was open, or the database has no such statement.
                }
            }
        }
    }

    /** @return list<mixed> all that an application can see */
    private function outcome(PDO $database, Command $command): array
    {
        $query = $command->query;
        $number = spl_object_id($database);
        $driver = $database->getAttribute(PDO::ATTR_DRIVER_NAME);
        [$isSqlite, $isMariaDb] = [$driver === 'sqlite', $driver === 'mysql'];
        $seen = [];
        try {
            if ($command->action === Action::Prepare) {
                unset($this->prepared[$number]);
                $this->prepared[$number] = $database->prepare($query->sql);
            }
            $statement = match ($command->action) {
                Action::Run => $query->run($database),
                Action::Execute => $query->execute($this->prepared[$number] ?? throw new PDOException('none')),
                default => null,
            };
            $seen[] = match ($command->action) {
                Action::Exec => $database->exec($query->sql),
                // PDO does not see that SQLite has ended a transaction by itself.
                Action::Begin => $isSqlite ? $database->exec('BEGIN') : $database->beginTransaction(),
                Action::Commit => $isSqlite ? $database->exec('COMMIT') : $database->commit(),
                Action::RollBack => $isSqlite ? $database->exec('ROLLBACK') : $database->rollBack(),
                default => null,
            };
            $this->isCounted = $this->isCounted || $command->counts();
            // For what is no write, exec() tells changes().
            $seen = $isSqlite && !$this->isCounted ? [] : $seen;
            if ($statement !== null) {
                $seen[] = [$statement->rowCount(), $statement->columnCount(), $statement->errorInfo()];
                $rows = $statement->columnCount() > 0 ? $statement->fetchAll() : [];
                // A plan says how long each of its steps took.
                $isPlan = preg_match('/^\W*(EXPLAIN|ANALYZE)/', $query->sql) === 1;
                $seen[] = $isPlan ? \count($rows) : self::sorted($rows);
            }
        } catch (PDOException $exception) {
            // Larder sends several statements one by one, and the message shows what was sent.
            $message = str_contains($query->sql, '; ') && !$isSqlite ? '' : self::placed($exception->getMessage());
            $seen = [$message, $exception->getCode(), $isSqlite ? $exception->errorInfo : []];
            if (!$isSqlite) {
                // What lastInsertId() says behind an error depends on what becomes of the statement. And MariaDB's
                // driver does not know whether a statement that failed has ended the transaction before.
                return [...$seen, $isMariaDb || $database->inTransaction()];
            }
            $this->isCounted = $this->isCounted && ($exception->errorInfo[1] ?? 0) === self::CONSTRAINT;
        }

        return [...$seen, ...($isSqlite ? $this->counts($database) : self::session($database))];
    }

    /** @return list<mixed> */
    private function counts(PDO $database): array
    {
        $of = $database->query('SELECT last_insert_rowid(), ' . ($this->isCounted ? 'changes()' : '0'));

        return [$database->lastInsertId(), $of === false ? [] : $of->fetchAll(PDO::FETCH_NUM)];
    }

    /** @return list<mixed> */
    private static function session(PDO $database): array
    {
        try {
            return [$database->inTransaction(), $database->lastInsertId()];
        } catch (PDOException $exception) {
            return [$database->inTransaction(), $exception->getCode()];
        }
    }

    /**
     * @param array<mixed> $rows
     *
     * @return list<string>
     */
    private static function sorted(array $rows): array
    {
        $flags = JSON_INVALID_UTF8_SUBSTITUTE | JSON_PRESERVE_ZERO_FRACTION;
        $texts = array_map(
            static fn(mixed $row): string => self::placed((string) json_encode($row, $flags)),
            array_values($rows),
        );
        sort($texts);

        return $texts;
    }

    /** Without the name of the database. */
    private static function placed(string $text): string
    {
        return str_replace('twin', 'bench', $text);
    }

    /** @return Rows */
    private function rows(PDO $database): array
    {
        $rows = [];
        foreach ($this->tables as $table) {
            $statement = $database->query("SELECT * FROM $table ORDER BY id, 1, 2, 3", PDO::FETCH_ASSOC);
            /** @var list<array<string, scalar|null>> $of */
            $of = $statement === false ? [] : $statement->fetchAll();
            $rows[$table] = $of;
        }

        return $rows;
    }

    /**
     * @param list<array<string, scalar|null>> $before
     * @param list<array<string, scalar|null>> $after
     *
     * @return list<string>|null the names that had to be announced and were not; null: the change counts as bulk
     */
    private function missing(Table $table, array $before, array $after): ?array
    {
        $names = [];
        foreach ([[$before, $after], [$after, $before]] as [$here, $there]) {
            foreach (array_filter($here, static fn(array $row): bool => !\in_array($row, $there, true)) as $row) {
                $names = [...$names, ...array_keys(KeyedRows::ofRow($table, $row) ?? ["$table->name!" => 0])];
            }
        }

        return array_intersect([$table->all()->name, 'all'], $this->announced) !== []
            ? null
            : array_values(array_diff($names, $this->announced));
    }
}
