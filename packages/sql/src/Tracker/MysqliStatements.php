<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use Larder\Exception\NoTransaction;
use Larder\Sql\Exception\InvalidConnection;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Schema\ConnectionParameters;
use Larder\Sql\Schema\MariaDbDialect;
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
        private readonly MariaDbDialect $dialect,
        private readonly TransactionState $state,
        private readonly MysqliAnswers $answers,
        private readonly MysqliSession $session,
        private readonly ConnectionParameters $parameters,
    ) {}

    public function rows(string $sql, array $parameters = []): array
    {
        $rows = UnfollowedMysqli::fetched($this->ran($sql, $parameters));
        if ($sql === $this->dialect->session()) {
            $this->session->answered($rows[0] ?? []);
        }

        return $rows;
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

    public function begin(?array $statements = null): void
    {
        $statements ??= [$this->dialect->begin()];
        if ($this->state->open) {
            array_map($this->send(...), $statements);

            return;
        }
        $guarded = $this->dialect->guarded($statements, $this->session->isAuto(), $this->session->home());
        $this->answers->cover();
        try {
            $this->connection->run($guarded, []);
        } catch (PDOException $exception) {
            if (!\in_array($exception->errorInfo[1] ?? 0, MariaDbDialect::STRAYED, true)) {
                throw $exception;
            }
            $this->ask();
            throw $this->session->isElsewhere() ? InvalidConnection::otherDatabase() : NoTransaction::begunPast();
        }
        $this->session->begun();
    }

    public function mustAnswer(): void
    {
        try {
            $this->answers->prepare();
        } catch (PDOException $exception) {
            $row = $this->rows('SELECT DATABASE() AS home, ' . MariaDbDialect::GRANTEE . ' AS account')[0] ?? [];
            $account = (string) ($row['account'] ?? '');
            throw LedgerUnavailable::noAnswers((string) ($row['home'] ?? ''), $account, $exception);
        }
    }

    public function mayEndUnseen(): bool
    {
        return true;
    }

    public function isStillOpen(): bool
    {
        return $this->asked() ? $this->session->isOpen() === true : $this->state->open;
    }

    public function hasStrayed(): bool
    {
        return !$this->state->open && (!$this->asked() || $this->session->hasStrayed());
    }

    public function beginsByItself(): bool
    {
        return $this->state->isImplicit
            && !$this->session->saysAuto($this->rows(MysqliSession::QUERY)[0] ?? []);
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
                $this->ask();
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

    public function dialect(): MariaDbDialect
    {
        return $this->dialect;
    }

    /** Whether the server could be asked. */
    private function asked(): bool
    {
        try {
            $this->ask();

            return true;
        } catch (PDOException) {
            return false;
        }
    }

    /** @throws PDOException */
    private function ask(): void
    {
        $this->session->says($this->rows(MysqliSession::QUERY)[0] ?? []);
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
