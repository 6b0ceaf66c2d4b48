<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

use Closure;
use PDO;
use PDOException;
use PDOStatement;
use Throwable;

/**
 * Larder's own connection beside the application's, in a database that locks rows one by one: for what must be seen or
 * kept whatever becomes of the application's transaction. It sees what is committed, and waits for a lock for a second.
 *
 * @internal
 */
final class SecondConnection implements Connection
{
    private PDO $pdo;

    private bool $isOpen = false;

    /** What begins the open transaction, if that goes with its first statement and none has run yet. */
    private ?string $begin = null;

    /**
     * @param Closure(): PDO $open a connection of its own, which throws exceptions
     *
     * @throws PDOException
     */
    public function __construct(
        private readonly Closure $open,
        private readonly Dialect $dialect,
    ) {
        $this->connect();
    }

    public function rows(string $sql, array $parameters = []): array
    {
        return self::fetched($this->run($sql, $parameters));
    }

    public function repeatable(string $sql): array
    {
        return [$this->rows($sql), fn(): array => $this->rows($sql)];
    }

    public function change(string $sql, array $parameters = []): int
    {
        return $this->run($sql, $parameters)->rowCount();
    }

    /**
     * Runs statements one after the other, in one trip to the server if it takes several at once.
     *
     * @param non-empty-list<array{string, list<scalar|null>}> $statements each with its parameters
     * @param int<1, max>                                      $ofOne      so many of the last ones are queries that may
     *     see one and the same state; each of the others sees one of its own
     *
     * @return list<list<array<string, scalar|null>>> the rows of each; none of one that only writes
     *
     * @throws PDOException of the first one that fails; no later one has run
     */
    public function together(array $statements, int $ofOne = 1): array
    {
        $several = $this->several();
        if ($several === Several::WithLastRows) {
            return OneText::rows(self::fetched($this->text(OneText::of($statements, $ofOne)))[0] ?? []);
        }
        if ($several === null) {
            return array_map(function (array $statement): array {
                $run = $this->run(...$statement);

                return $run->columnCount() === 0 ? [] : self::fetched($run);
            }, $statements);
        }
        $run = $this->run(implode('; ', array_column($statements, 0)), array_merge(...array_column($statements, 1)));
        $rows = [];
        do {
            $rows[] = $run->columnCount() === 0 ? [] : self::fetched($run);
        } while ($run->nextRowset());

        return $rows;
    }

    /**
     * Runs a query in the snapshot of the application's transaction, which is open, and has exported it.
     *
     * @return list<array<string, scalar|null>>
     *
     * @throws PDOException
     */
    public function rowsOf(string $snapshot, string $sql): array
    {
        if ($this->several() === Several::WithLastRows) {
            return self::fetched($this->text($sql, $snapshot));
        }

        return $this->transaction(fn(): array => self::fetched($this->run($sql, [])), $snapshot);
    }

    public function lastId(): int
    {
        return (int) $this->pdo->lastInsertId();
    }

    public function dialect(): Dialect
    {
        return $this->dialect;
    }

    /**
     * Runs a closure in a transaction, and commits it.
     *
     * @template T
     *
     * @param Closure(): T $do
     * @param string|null  $snapshot as of rowsOf()
     *
     * @return T
     *
     * @throws Throwable after a rollback; what $do throws
     */
    public function transaction(Closure $do, ?string $snapshot = null): mixed
    {
        $begin = $this->dialect->beginSecond($snapshot);
        if ($this->several() === null) {
            $this->again(fn(): int|false => $this->pdo->exec($begin));
        } else {
            $this->begin = $begin;
        }
        $this->isOpen = true;
        try {
            $made = $do();
            if ($this->begin === null) {
                $this->pdo->commit();
            }

            return $made;
        } catch (Throwable $exception) {
            $this->end();
            throw $exception;
        } finally {
            $this->isOpen = false;
            $this->begin = null;
        }
    }

    /** @param array<array-key, scalar|null> $parameters */
    private function run(string $sql, array $parameters): PDOStatement
    {
        if ($this->several() === Several::WithLastRows) {
            return $this->text(OneText::filled($sql, array_values($parameters)));
        }
        if ($this->begin !== null) {
            $run = $this->again(fn(): PDOStatement => Drivers::executed(
                $this->pdo->prepare($this->begin . '; ' . $sql),
                $parameters,
            ));
            $this->begin = null;
            $run->nextRowset();

            return $run;
        }
        $run = fn(): PDOStatement => Drivers::executed($this->pdo->prepare($sql), $parameters);

        return match (true) {
            $this->isOpen => $run(),
            $this->alone() !== '' => $this->transaction($run),
            default => $this->again($run),
        };
    }

    /** Runs statements without parameters as one of PostgreSQL's simple queries, which alone may be several. */
    private function text(string $text, ?string $snapshot = null): PDOStatement
    {
        $before = $this->isOpen ? (string) $this->begin : $this->alone($snapshot);
        $text = ($before === '' ? '' : $before . '; ') . $text;
        $run = fn(): PDOStatement => Drivers::executed(
            $this->pdo->prepare($text, [PDO::ATTR_EMULATE_PREPARES => true]),
            [],
        );
        // If a later statement of it fails, the transaction has begun.
        $this->begin = null;

        return $before === '' ? $run() : $this->again($run);
    }

    private function alone(?string $snapshot = null): string
    {
        return $this->dialect->alone($snapshot);
    }

    /** @return list<array<string, scalar|null>> */
    private static function fetched(PDOStatement $statement): array
    {
        /** @var list<array<string, scalar|null>> $rows */
        $rows = $statement->fetchAll();

        return $rows;
    }

    private function several(): ?Several
    {
        return $this->dialect->takesSeveral();
    }

    /**
     * Runs what begins something. It is seldom used, and a server closes what is idle: then it is opened again.
     *
     * @template T
     *
     * @param Closure(): T $do
     *
     * @return T
     */
    private function again(Closure $do): mixed
    {
        try {
            return $do();
        } catch (PDOException $exception) {
            if (!$this->dialect->isClosed($exception)) {
                throw $exception;
            }
            $this->connect();

            return $do();
        }
    }

    private function connect(): void
    {
        $this->pdo = ($this->open)();
        $this->pdo->setAttribute(PDO::ATTR_DEFAULT_FETCH_MODE, PDO::FETCH_ASSOC);
        foreach ($this->dialect->once() as $attribute => $value) {
            $this->pdo->setAttribute($attribute, $value);
        }
        $introduction = $this->dialect->introduction();
        if ($introduction !== [] && $this->several() === Several::WithAllRows) {
            $this->together(array_map(static fn(string $statement): array => [$statement, []], $introduction));

            return;
        }
        foreach ($introduction as $statement) {
            $this->pdo->exec($statement);
        }
    }

    private function end(): void
    {
        if ($this->begin !== null) {
            return;
        }
        try {
            $this->pdo->rollBack();
        } catch (PDOException) {
            // The database has ended it, with the connection or without.
        }
    }
}
