<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Closure;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\RecordingPdo;
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
            parent::rollBack();
        } elseif ($this->snapshot) {
            PDO::exec('ROLLBACK');
        }
    }

    public function run(string $sql, array $parameters = []): PDOStatement
    {
        if (str_starts_with($sql, 'PRAGMA busy_timeout =')) {
            $sql = 'PRAGMA busy_timeout';
        }
        $catalog = $this->dialect()->catalog();
        if (\in_array($sql, [$catalog->sideEffects(), $catalog->tables()], true)) {
            return parent::run($sql, $parameters);
        }

        if (str_starts_with($sql, 'INSERT INTO larder_page ')) {
            // A server of pages is not told the draft's name.
            $this->process()->drafts->made($this->process()->name, (string) ($parameters[1] ?? ''));
        }

        return $this->statement($sql, function () use ($sql, $parameters): PDOStatement {
            if ($this->isFirst($sql)) {
                // What it fixes is all that will be read.
                foreach (['news', 'larder_slot'] as $table) {
                    $this->observe('SELECT * FROM ' . $table);
                }
            } elseif (str_starts_with($sql, 'SELECT')) {
                $this->observe($sql, $parameters);
            }

            return parent::run($sql, $parameters);
        });
    }

    /** Each time as if for the first time, since a query that is kept would be no step. */
    public function repeatable(string $sql): array
    {
        return [$this->rows($sql), fn(): array => $this->rows($sql)];
    }

    public function rows(string $sql, array $parameters = []): array
    {
        /** @var list<array<string, scalar|null>> $rows */
        $rows = $this->run($sql, $parameters)->fetchAll(PDO::FETCH_ASSOC);

        return $rows;
    }

    public function probe(string $sql): int|false
    {
        return parent::probe(str_starts_with($sql, 'PRAGMA busy_timeout =') ? 'PRAGMA busy_timeout' : $sql);
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

    public function snapshot(RecordedReads $reads, Closure $make, Closure $end): mixed
    {
        $this->process()->live();
        $this->snapshot = true;
        $this->fixed = false;
        try {
            return parent::snapshot($reads, $make, $end);
        } finally {
            $this->snapshot = false;
        }
    }

    public function commit(): bool
    {
        return $this->process()->step('COMMIT', fn(): bool => parent::commit());
    }

    public function rollBack(): bool
    {
        return $this->process()->step('ROLLBACK', fn(): bool => parent::rollBack());
    }

    /** @param array<array-key, scalar|null> $parameters */
    private function observe(string $sql, array $parameters = []): void
    {
        $this->process()->observe(json_encode(parent::run($sql, $parameters)->fetchAll(), JSON_THROW_ON_ERROR));
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
