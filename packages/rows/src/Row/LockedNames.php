<?php

declare(strict_types=1);

namespace Larder\Row;

use Larder\Dependency\Name;
use Larder\Sql\Schema\LockingDialect;
use Larder\Sql\Tracker\OwnStatements;
use LogicException;
use PDOException;

/**
 * @internal PostgreSQL, where a locking read would write to each row, and would not see one that is being inserted. So
 * what is locked is the ledger's slots, by advisory locks that each writer shares from before it ends rows until its
 * COMMIT. One message has the lock and, as a statement that sees what is committed after it, the query.
 */
final class LockedNames implements Source
{
    private const HELD = 'larder.held';

    /** Locks that are asked for one by one, for which the server plans least. */
    private const FEW = 8;

    /** Whether the message says that its statements see what is committed, since the session's do not. */
    private bool $saysLevel = false;

    /** @param int $slots of the ledger */
    public function __construct(
        private readonly OwnStatements $connection,
        private readonly LockingDialect $dialect,
        private readonly int $slots,
    ) {}

    public function isLedgered(): bool
    {
        return $this->connection->rows("SELECT to_regclass('larder_ledger') AS found")[0]['found'] !== null;
    }

    public function free(string $sql, array $parameters, array $names, bool $isOne = false): ?array
    {
        if ($names === []) {
            throw new LogicException('There is no name to lock.');
        }
        $slots = array_values(array_unique(
            array_map(fn(string $name): int => Name::slotOf($name, $this->slots), $names),
        ));
        sort($slots);
        [$held, $all] = $this->held($slots);
        try {
            $rows = $this->connection->last([
                ...($this->saysLevel ? ['SET TRANSACTION ISOLATION LEVEL READ COMMITTED'] : []),
                \sprintf("SELECT set_config('%s', %s, true)", self::HELD, $held),
            ], \sprintf(
                "SELECT current_setting('%s') AS larder_held, current_setting('transaction_isolation') AS larder_level,"
                    . ' r.* FROM (VALUES (1)) AS one LEFT JOIN (SELECT %s AS larder_row, q.* FROM (%s) AS q) AS r'
                    . ' ON TRUE%s',
                self::HELD,
                $isOne ? 'TRUE' : 'row_number() OVER ()',
                $sql,
                $isOne ? '' : ' ORDER BY larder_row',
            ), $parameters);
        } catch (PDOException $exception) {
            return $this->dialect->isBusy($exception) ? null : throw $exception;
        }
        if (($rows[0]['larder_level'] ?? null) !== 'read committed') {
            $isNew = !$this->saysLevel;
            $this->saysLevel = true;

            return $isNew ? $this->free($sql, $parameters, $names, $isOne) : null;
        }
        if (($rows[0]['larder_held'] ?? null) !== $all) {
            return null;
        }

        return array_map(
            static fn(array $row): array => \array_slice($row, 3),
            $rows[0]['larder_row'] === null ? [] : $rows,
        );
    }

    /**
     * @param list<int> $slots ascending
     *
     * @return array{string, string} an expression that takes the locks, and its value if all were free
     */
    private function held(array $slots): array
    {
        if (\count($slots) > self::FEW) {
            return [
                \sprintf('(SELECT count(*) FROM (%s) AS l)::text', $this->dialect->locks($slots, false, false)),
                (string) \count($slots),
            ];
        }
        $lock = fn(int $slot): string => (string) $this->dialect->advisoryLock((string) $slot, false, false);
        $locks = array_map($lock, $slots);

        return ['concat(' . implode(', ', $locks) . ')', str_repeat('t', \count($slots))];
    }
}
