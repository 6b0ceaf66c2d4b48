<?php

declare(strict_types=1);

namespace Larder\Proof\Rows;

use Larder\Exception\LarderException;
use Larder\Proof\MissingGuard;
use Larder\Proof\Values\DeathCountdown;
use Larder\Proof\Values\DyingPdo;
use Larder\Proof\Values\DyingStore;
use Larder\Sql\Schema\Registry;
use PDOException;

/** Changes rows through Larder. Some changes are slow, some are of many rows, and in some the writer dies. */
final class RowWriter
{
    /** One of this many changes ends with the writer's death. */
    private const DEATH = 12;

    /** More than the steps of a change. */
    private const STEPS = 5;

    private readonly DyingPdo $connection;

    private readonly DeathCountdown $countdown;

    private readonly DyingStore $store;

    /** @var array<int, int> what this transaction makes of its rows */
    private array $versions = [];

    private bool $isCommitted = false;

    public function __construct(private readonly RowTrial $trial, private readonly int $worker)
    {
        $this->countdown = new DeathCountdown(function (): void {
            $this->trial->count(RowCount::Kills, $this->worker);
            // Nobody else would know of it.
            $this->note();
        });
        $this->connection = new DyingPdo($trial->database, new Registry(), $this->countdown);
        $this->store = new DyingStore(
            $trial->store->open($worker % 2),
            $this->countdown,
            $trial->missing === MissingGuard::Late,
        );
        $trial->rows($this->connection, $this->store);
    }

    public function work(): void
    {
        while (!$this->trial->isOver()) {
            $rows = [$this->trial->anyRow()];
            if (mt_rand(1, 4) === 1) {
                $rows[] = $rows[0] % RowTrial::ROWS + 1;
                sort($rows);
            }
            $this->change($rows, mt_rand(1, 60) === 1);
            $this->trial->pauseAfterChange();
        }
    }

    /** @param non-empty-list<int> $rows ascending */
    private function change(array $rows, bool $isBulk): void
    {
        $this->versions = [];
        $this->isCommitted = false;
        $this->connection->committed = function (): void {
            $this->isCommitted = true;
            $this->store->committed();
            $this->note();
        };
        $this->countdown->start(mt_rand(1, self::DEATH) === 1 ? mt_rand(1, self::STEPS) : 0);
        try {
            $this->connection->beginTransaction();
            foreach ($rows as $row) {
                $found = $this->connection->select('SELECT version FROM truth WHERE id = ? FOR UPDATE', [$row]);
                $version = (int) ($found[0]['version'] ?? 0) + 1;
                $this->trial->board->raise('begun', $version, $row);
                $this->connection->run('UPDATE truth SET version = ? WHERE id = ?', [$version, $row]);
                $this->connection->run(...RowState::statement($row, $version, $isBulk));
                $this->versions[$row] = $version;
            }
            if (mt_rand(1, 4) === 1) {
                usleep(mt_rand(500, 10_000));
            }
            $this->connection->commit();
            $this->trial->count(RowCount::Changes, $this->worker);
            if ($isBulk) {
                $this->trial->count(RowCount::BulkChanges, $this->worker);
            }
        } catch (LarderException|PDOException) {
            if ($this->connection->inTransaction()) {
                $this->connection->rollBack();
            }
            $this->trial->count(RowCount::RolledBack, $this->worker);
        }
        $this->countdown->start(0);
    }

    private function note(): void
    {
        foreach ($this->isCommitted ? $this->versions : [] as $row => $version) {
            $this->trial->commits->commit($this->worker, $row, $version);
        }
    }
}
