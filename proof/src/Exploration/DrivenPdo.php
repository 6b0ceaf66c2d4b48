<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Closure;
use Larder\Sql\Schema\Drivers;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Several;
use Larder\Sql\Tracker\OwnStatements;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\TransactionState;
use LogicException;
use PDO;
use PDOException;
use PDOStatement;

/**
 * A real connection. Each statement that another process could notice, or that could see what another did, is a step.
 *
 * Some statements are no steps, since they commute with everything that other processes do:
 * - Between BEGIN IMMEDIATE and COMMIT no other process can write or see the writes, and a death anywhere in between is
 *   the same rollback. BEGIN, COMMIT and ROLLBACK are steps, and so is each call on files in between.
 * - The first read of a read transaction fixes what the later ones see. Its deferred BEGIN fixes nothing.
 * - The schema does not change, and a connection that was used before knows it.
 * - PRAGMAs change the connection only, but for the first read of a read transaction. The patience of a publication is
 *   never set: a lock that is held blocks the process at once, and the explorer chooses between a later step and
 *   Event::GiveUp.
 */
final class DrivenPdo extends RecordingPdo implements DrivenConnection
{
    private ?ExploredProcess $process = null;

    private bool $snapshot = false;

    private bool $fixed = false;

    private bool $everyStatement = false;

    /** Whether its process has died, and what it left is taken back. */
    private bool $vanishes = false;

    public function __construct(string $dsn, Registry $registry)
    {
        parent::__construct($dsn, $registry);
        parent::exec('PRAGMA synchronous = OFF');
        parent::exec('PRAGMA busy_timeout = 0');
    }

    /** @param bool $everyStatement makes steps of the first two as well, to check this reasoning */
    public function drive(ExploredProcess $process, bool $everyStatement): void
    {
        $this->process = $process;
        $this->everyStatement = $everyStatement;
        $this->snapshot = $this->fixed = false;
    }

    public function vanish(): void
    {
        if (parent::inTransaction()) {
            $this->vanishes = true;
            parent::rollBack();
            $this->vanishes = false;
        } elseif ($this->snapshot) {
            PDO::exec('ROLLBACK');
        }
    }

    public function run(string $sql, array $parameters = []): PDOStatement
    {
        return $this->stepped($sql, $parameters, fn(): PDOStatement => parent::run($sql, $parameters));
    }

    /**
     * A statement with rows, or one that writes.
     *
     * @template T
     *
     * @param array<array-key, scalar|null> $parameters
     * @param Closure(): T                  $do
     *
     * @return T
     */
    public function stepped(string $sql, array $parameters, Closure $do): mixed
    {
        $catalog = $this->dialect()->catalog();
        if (\in_array($sql, [$catalog->sideEffects(), $catalog->tables()], true)) {
            return $do();
        }

        if (str_starts_with($sql, 'INSERT INTO larder_page ')) {
            // A server of pages is not told the draft's name.
            $this->process()->drafts->made($this->process()->name, (string) ($parameters[1] ?? ''));
        }

        return $this->statement($sql, function () use ($sql, $parameters, $do): mixed {
            if ($this->isFirst($sql)) {
                // What it fixes is all that will be read.
                foreach (['news', 'larder_slot'] as $table) {
                    $this->observe('SELECT * FROM ' . $table);
                }
            } elseif (str_starts_with($sql, 'SELECT')) {
                $this->observe($sql, $parameters);
            }

            return $do();
        });
    }

    /**
     * A statement of Larder's own that begins or ends a transaction, or sets the connection.
     *
     * @param Closure(): (int|false) $do
     */
    public function sent(string $sql, Closure $do): int|false
    {
        if ($this->process === null || $this->vanishes) {
            return $do();
        }
        if ([$sql] === $this->dialect()->beginSnapshot()) {
            $this->process()->live();
            $made = $do();
            $this->snapshot = true;
            $this->fixed = false;

            return $made;
        }
        $isEnd = \in_array($sql, ['COMMIT', 'ROLLBACK'], true);
        if ($isEnd && $this->snapshot) {
            $this->snapshot = false;

            return $do();
        }

        return match (true) {
            $isEnd => $this->process()->step($sql, $do),
            $sql === $this->dialect()->begin() => $this->statement($sql, $do),
            default => $do(),
        };
    }

    public function exec(string $statement): int|false
    {
        return $this->statement($statement, fn(): int|false => parent::exec($statement));
    }

    public function query(string $query, ?int $fetchMode = null, mixed ...$fetchModeArgs): PDOStatement
    {
        throw new LogicException(
            'The explorer does not see inside query(); teach it before the code under test uses it.',
        );
    }

    protected function ownStatements(TransactionState $state, ?Several $several, Closure $open): OwnStatements
    {
        return new DrivenStatements($this, $this->dialect(), $state, $several, $open);
    }

    /** @param array<array-key, scalar|null> $parameters */
    private function observe(string $sql, array $parameters = []): void
    {
        $statement = PDO::prepare($sql, [PDO::ATTR_STATEMENT_CLASS => [PDOStatement::class]]);
        $rows = Drivers::executed($statement, $parameters)->fetchAll(PDO::FETCH_ASSOC);
        $this->process()->observe(json_encode($rows, JSON_THROW_ON_ERROR));
    }

    /**
     * @template T
     *
     * @param Closure(): T $do
     *
     * @return T
     */
    private function statement(string $sql, Closure $do): mixed
    {
        $this->process()->live();
        $private = (str_starts_with($sql, 'PRAGMA') && !$this->isFirst($sql))
            || (!$this->everyStatement && ($this->inTransaction() || ($this->snapshot && $this->fixed)));
        if ($private) {
            try {
                return $do();
            } catch (PDOException $exception) {
                $this->process()->observe($sql . ' threw');
                throw $exception;
            }
        }
        $result = $this->process()->step((string) preg_replace('/\s+/', ' ', $sql), $do);
        $this->fixed = true;

        return $result;
    }

    /** Whether it is the first read of a snapshot. */
    private function isFirst(string $sql): bool
    {
        return $this->snapshot && !$this->fixed && $sql === $this->dialect()->catalog()->schemaVersion();
    }

    private function process(): ExploredProcess
    {
        return $this->process ?? throw new LogicException('drive() comes first.');
    }
}
