<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Larder\Exception\LedgerUnavailable;
use Larder\Exception\NoTransaction;
use Larder\Exception\UnfinishedWrite;
use Larder\Metrics\SparingLogger;
use PDO;
use PDOException;
use PDOStatement;
use Psr\Log\LoggerInterface;
use Throwable;

/**
 * @internal The transaction of a RecordingPdo, open or not: what runs in it, and what is made known before it ends.
 *
 * It gets the connection with each call, since one that were kept would keep the connection open.
 */
final class Transaction
{
    private bool $open = false;

    private bool $wrote = false;

    /** Whether the closure of a transaction runs, which must not commit it. */
    private bool $within = false;

    /** Whether a statement ran in it that may have changed the schema. */
    private bool $alters = false;

    /** Whether it has looked what the schema lets a statement write to. */
    private bool $knowsSchema = false;

    /** @var (Closure(list<Dependency>): void)|null makes changes known */
    private ?Closure $announce = null;

    /** @var array<string, true> what was logged */
    private array $said = [];

    /** @param Closure(string): mixed $exec runs a statement that is not looked at */
    public function __construct(
        private readonly Registry $registry,
        private readonly Dialect $dialect,
        private readonly SideEffects $effects,
        private readonly Writes $writes,
        private readonly ?LoggerInterface $logger,
        private readonly Closure $exec,
    ) {}

    public function isOpen(): bool
    {
        return $this->open;
    }

    /** Whether it is open, and a statement ran in it that may be no SELECT. */
    public function wrote(): bool
    {
        return $this->open && $this->wrote;
    }

    /** @param Closure(list<Dependency>): void $announce throws LedgerUnavailable after a rollback */
    public function announceBy(Closure $announce): void
    {
        $this->announce = $announce;
    }

    /**
     * Runs a writer's closure, which must not end the transaction.
     *
     * @template T
     *
     * @param Closure(): T $write
     *
     * @return T
     *
     * @throws NoTransaction   if it is over all the same
     * @throws UnfinishedWrite if $write returns a Generator
     */
    public function within(Closure $write): mixed
    {
        $this->within = true;
        try {
            $made = $write();
        } finally {
            $this->within = false;
        }
        UnfinishedWrite::check($made);

        return $this->open ? $made : throw NoTransaction::isOver();
    }

    /**
     * Runs a statement that is no SELECT.
     *
     * @template T
     *
     * @param Closure(): T            $run
     * @param RecordingStatement|null $statement that $run executes; null: $run returns one, or the number of affected
     *     rows
     *
     * @return T
     *
     * @throws NoTransaction
     * @throws LedgerUnavailable after a rollback
     */
    public function run(PDO $connection, Statement $parsed, Closure $run, ?RecordingStatement $statement): mixed
    {
        if ($parsed->writes !== []) {
            return $this->open
                ? $this->written($connection, $parsed, $run, $statement)
                : $this->autocommitted($connection, $parsed, $run, $statement);
        }

        return match ($parsed->verb) {
            'begin', 'start' => $this->begin($run),
            'commit', 'end' => $this->end($connection, true, $run),
            'rollback' => $this->end($connection, false, $run),
            'rollback to' => $this->guarded($run),
            'savepoint' => $this->open ? $this->unclear($run) : $this->begin($run),
            'release' => $this->release($connection, $run),
            'create', 'drop' => $this->altered($connection, $run),
            default => $this->unclear($run),
        };
    }

    /**
     * Runs a statement. If it fails, the database may have rolled the transaction back.
     *
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    public function guarded(Closure $run): mixed
    {
        try {
            return $run();
        } catch (PDOException $exception) {
            $this->look();
            throw $exception;
        }
    }

    /**
     * Runs COMMIT or ROLLBACK.
     *
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     *
     * @throws NoTransaction     inside the closure of a transaction
     * @throws LedgerUnavailable after a rollback
     */
    public function end(PDO $connection, bool $commits, Closure $run): mixed
    {
        if (!$this->open) {
            return $run();
        }
        if ($commits && $this->within) {
            throw NoTransaction::isNotYours();
        }
        if ($commits) {
            $this->tell($connection);
        }
        $made = $this->guarded($run);
        $this->over();

        return $made;
    }

    /**
     * Logs that a transaction wrote tables and did not tell it, once for each.
     *
     * @param list<Table> $tables
     */
    public function say(array $tables): void
    {
        foreach ($tables as $table) {
            if (isset($this->said[$table->name])) {
                continue;
            }
            $this->said[$table->name] = true;
            ($this->logger ?? new SparingLogger())->warning(
                '{table} was written and not told, so every page and value made from it was dropped. Tell it by '
                    . 'Change::update(), insert(), delete() or bulk().',
                ['table' => $table->name, 'cause' => 'untold ' . $table->name],
            );
        }
    }

    /**
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function written(PDO $connection, Statement $parsed, Closure $run, ?RecordingStatement $statement): mixed
    {
        if (!$this->knowsSchema) {
            $this->effects->refresh();
            $this->knowsSchema = true;
        }
        $this->wrote = true;
        $affected = null;
        try {
            $made = $this->guarded($run);
            $affected = match (true) {
                $statement !== null => $statement->rowCount(),
                $made instanceof PDOStatement => $made->rowCount(),
                default => \is_int($made) ? $made : null,
            };

            return $made;
        } finally {
            // Of a statement that failed some rows may stay.
            if ($this->open) {
                $inserted = (string) $connection->lastInsertId();
                $this->writes->note($parsed->writes, $affected, $inserted, self::row($parsed, $statement));
            }
        }
    }

    /** @return string|null the value that the statement finds its one row by */
    private static function row(Statement $parsed, ?RecordingStatement $statement): ?string
    {
        $value = $parsed->writes[0]->row['value'] ?? '';
        if (\is_int($value) || str_starts_with($value, ':')) {
            $value = $statement?->bound($value);
        }

        return \is_int($value) || (\is_string($value) && $value !== '') ? (string) $value : null;
    }

    /**
     * Runs a statement that writes outside a transaction. If pages may depend on it, it gets one.
     *
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function autocommitted(
        PDO $connection,
        Statement $parsed,
        Closure $run,
        ?RecordingStatement $statement,
    ): mixed {
        if ($this->within) {
            throw NoTransaction::isOver();
        }
        $this->effects->refresh();
        $tables = $this->effects->hasLedger() ? $this->writes->tables($parsed->writes) : [];
        $returns = array_filter($parsed->writes ?? [], static fn(Write $write): bool => $write->returns) !== [];
        $isDeclared = fn(string $table): bool => $this->registry->find($table) !== null;
        if ($tables === [] || ($returns && array_filter($tables, $isDeclared) === [])) {
            return $run();
        }
        if ($returns) {
            throw NoTransaction::toReturnRows();
        }

        $write = fn(): mixed => $this->written($connection, $parsed, $run, $statement);

        return $this->alone($connection, $connection->beginTransaction(...), $write);
    }

    /**
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function begin(Closure $run): mixed
    {
        if ($this->within && !$this->open) {
            throw NoTransaction::isOver();
        }
        $made = $run();
        $this->over();
        $this->open = true;

        return $made;
    }

    /**
     * RELEASE commits, if its savepoint began the transaction.
     *
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function release(PDO $connection, Closure $run): mixed
    {
        if ($this->open && !$this->within) {
            $this->tell($connection);
        }
        $made = $this->unclear($run);
        $this->look();

        return $made;
    }

    /**
     * Runs CREATE, or DROP of what has no rows: statements may read something else then. If pages may depend on it, it
     * gets a transaction.
     *
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function altered(PDO $connection, Closure $run): mixed
    {
        if (!$this->open) {
            $this->effects->refresh();
        }
        if ($this->open || !$this->effects->hasLedger()) {
            return $this->unclear($run);
        }

        // Often it only looks whether something is there, and needs no lock for that.
        $begin = fn(): int|false => $connection->exec($this->dialect->beginSnapshot());

        return $this->alone($connection, $begin, fn(): mixed => $this->unclear($run));
    }

    /**
     * Gives a statement a transaction of its own.
     *
     * @template T
     *
     * @param Closure(): mixed $begin
     * @param Closure(): T     $run
     *
     * @return T
     */
    private function alone(PDO $connection, Closure $begin, Closure $run): mixed
    {
        $begin();
        try {
            $made = $run();
            $connection->commit();

            return $made;
        } catch (Throwable $exception) {
            if ($this->open) {
                $connection->rollBack();
            }
            throw $exception;
        }
    }

    /**
     * Runs a statement that writes no rows, and may change what others do.
     *
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function unclear(Closure $run): mixed
    {
        $this->wrote = $this->alters = true;
        try {
            return $this->guarded($run);
        } finally {
            $this->effects->forget();
            $this->knowsSchema = false;
        }
    }

    /** Looks whether it is still open: no other one can begin inside it. */
    private function look(): void
    {
        if (!$this->open) {
            return;
        }
        try {
            ($this->exec)($this->dialect->beginSnapshot());
            ($this->exec)('ROLLBACK');
        } catch (PDOException $exception) {
            if ($this->dialect->isNested($exception)) {
                return;
            }
        }
        $this->over();
    }

    private function over(): void
    {
        $this->open = $this->wrote = $this->alters = $this->knowsSchema = false;
        $this->writes->reset();
    }

    /** Makes known, right before COMMIT, what was written and not told. */
    private function tell(PDO $connection): void
    {
        $untold = $this->writes->untold();
        $isNothing = $untold === [] && !$this->writes->areUndeclared() && !$this->alters;
        if ($this->alters) {
            $this->effects->refresh();
        }
        if ($isNothing || !$this->effects->hasLedger()) {
            return;
        }
        $announce = $this->announce;
        if ($announce !== null) {
            $this->say($untold);
            $announce(array_map(static fn(Table $table): Dependency => $table->all(), $untold));
        } elseif ($untold !== []) {
            $connection->rollBack();
            throw LedgerUnavailable::unknownTo(implode(', ', array_column($untold, 'name')));
        }
    }
}
