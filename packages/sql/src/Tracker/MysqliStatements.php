<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use Larder\Sql\Schema\ConnectionParameters;
use Larder\Sql\Schema\Dialect;
use mysqli_result;
use PDO;
use PDOException;

/** @internal Larder's own statements on a mysqli. */
final class MysqliStatements implements OwnStatements
{
    /** Whether the read transaction of a render could not end, since rows are unread. */
    private bool $isUnended = false;

    public function __construct(
        private readonly UnfollowedMysqli $connection,
        private readonly Dialect $dialect,
        private readonly TransactionState $state,
        private readonly MysqliAnswers $answers,
        private readonly MysqliSession $session,
        private readonly ConnectionParameters $parameters,
    ) {}

    public function rows(string $sql, array $parameters = []): array
    {
        return UnfollowedMysqli::fetched($this->ran($sql, $parameters));
    }

    public function repeatable(string $sql): array
    {
        return [$this->rows($sql), fn(): array => $this->rows($sql)];
    }

    public function change(string $sql, array $parameters = []): int
    {
        $this->ran($sql, $parameters);

        return (int) $this->connection->answer()->affected;
    }

    public function send(string $sql): int
    {
        try {
            return $this->change($sql);
        } catch (PDOException $exception) {
            $this->isUnended = $this->isUnended
                || ($sql === 'COMMIT' && ($exception->errorInfo[1] ?? 0) === UnfollowedMysqli::OUT_OF_SYNC);
            throw $exception;
        }
    }

    /** Ends the read transaction of a render, if it could not end before. */
    public function endLate(): void
    {
        if (!$this->isUnended) {
            return;
        }
        $this->isUnended = false;
        try {
            $this->send('COMMIT');
        } catch (PDOException) {
            // The rows are still unread, which the application's next statement is going to say.
        }
    }

    /** Asks whether a transaction is open, if nobody knows. Behind a statement that would cover its answer. */
    public function know(): void
    {
        if ($this->session->isOpen() === null) {
            $this->isServerInTransaction();
        }
    }

    /** It has no way to send them without asking for the rows of one after the other. */
    public function together(array $statements): null
    {
        return null;
    }

    public function last(array $before, string $sql, array $parameters = []): array
    {
        foreach ($before as $query) {
            $this->rows($query);
        }

        return $this->rows($sql, $parameters);
    }

    public function lastId(): int
    {
        return (int) $this->connection->answer()->insertId;
    }

    public function insertedId(): string
    {
        return (string) ($this->answers->insertId() ?? $this->connection->answer()->insertId);
    }

    public function isServerInTransaction(): bool
    {
        if ($this->state->snapshot) {
            return false;
        }
        if ($this->session->isOpen() === null) {
            try {
                $this->session->says($this->rows(MysqliSession::QUERY)[0] ?? []);
            } catch (PDOException $exception) {
                // Else the connection is lost, and the transaction with it.
                return ($exception->errorInfo[1] ?? 0) === UnfollowedMysqli::OUT_OF_SYNC && $this->state->open;
            }
        }

        return $this->session->isOpen() === true;
    }

    /** A statement that writes is never run so. */
    public function isUnbuffered(): bool
    {
        return false;
    }

    public function another(): Closure
    {
        $parameters = $this->parameters;

        return static fn(): PDO => $parameters->open();
    }

    public function dialect(): Dialect
    {
        return $this->dialect;
    }

    /**
     * @param array<array-key, scalar|null> $parameters
     *
     * @throws PDOException
     */
    private function ran(string $sql, array $parameters): mysqli_result|bool
    {
        $this->answers->cover();
        $hasFailed = true;
        try {
            $made = $this->connection->run($sql, $parameters);
            $hasFailed = false;

            return $made;
        } finally {
            $this->session->follow($sql, $hasFailed);
        }
    }
}
