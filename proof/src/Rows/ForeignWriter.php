<?php

declare(strict_types=1);

namespace Larder\Proof\Rows;

use Larder\Testbed\Server\DatabaseKind;
use PDOException;

/** Changes rows without Larder, and goes away in the middle of some changes. */
final class ForeignWriter
{
    /** One of this many changes ends with its session. */
    private const DEATH = 12;

    public function __construct(
        private readonly RowTrial $trial,
        private readonly int $worker,
        private readonly ForeignSession $session,
        private readonly RowCount $kind,
    ) {}

    public function work(): void
    {
        while (!$this->trial->isOver()) {
            $rows = [$this->trial->anyRow()];
            if (mt_rand(1, 4) === 1) {
                $rows[] = $rows[0] % RowTrial::ROWS + 1;
                sort($rows);
            }
            try {
                $this->change($rows);
            } catch (PDOException) {
                $this->trial->count(RowCount::RolledBack, $this->worker);
                $this->session->end();
            }
            $this->trial->pauseAfterChange();
        }
        $this->session->end();
    }

    /** @param non-empty-list<int> $rows ascending */
    private function change(array $rows): void
    {
        $dies = mt_rand(1, self::DEATH) === 1;
        $isBulk = mt_rand(1, 60) === 1;
        $versions = [];
        $this->session->run(['BEGIN']);
        foreach ($rows as $row) {
            $version = (int) $this->session->number("SELECT version FROM truth WHERE id = $row FOR UPDATE") + 1;
            $this->trial->board->raise('begun', $version, $row);
            [$sql, $numbers] = RowState::statement($row, $version, $isBulk);
            $this->session->run([
                "UPDATE truth SET version = $version WHERE id = $row",
                vsprintf(str_replace('?', '%d', $sql), $numbers),
            ]);
            $versions[$row] = $version;
        }
        if (mt_rand(1, 4) === 1) {
            usleep(mt_rand(500, 10_000));
        }
        if ($dies && mt_rand(0, 1) === 1) {
            $this->trial->count(RowCount::Kills, $this->worker);
            $this->session->end();

            return;
        }
        $this->session->run([...$this->slowly(), 'COMMIT']);
        foreach ($versions as $row => $version) {
            $this->trial->others->commit($this->worker, $row, $version);
        }
        $this->trial->count(RowCount::Changes, $this->worker);
        $this->trial->count($this->kind, $this->worker);
        if ($dies) {
            $this->trial->count(RowCount::Kills, $this->worker);
            $this->session->end();
        }
    }

    /** @return list<string> for a COMMIT that is in the log long before it can be seen: LogCopy never says "applied" */
    private function slowly(): array
    {
        return $this->trial->database->kind === DatabaseKind::PostgreSql && mt_rand(1, 4) === 1
            ? ['SET LOCAL synchronous_commit = remote_apply']
            : [];
    }
}
