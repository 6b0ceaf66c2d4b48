<?php

declare(strict_types=1);

namespace Larder\Row;

use Larder\Dependency\Database\LockingDialect;
use Larder\Dependency\Dependency;
use Larder\Dependency\TrackedConnection;
use LogicException;
use PDOException;

/**
 * @internal PostgreSQL, where a locking read would write to each row, and would not see one that is being inserted. So
 * what is locked is the ledger's slots, by advisory locks that each writer shares from before it ends rows until its
 * COMMIT. One message has the lock and, as a statement that sees what is committed after it, the query.
 */
final readonly class LockedNames implements Source
{
    private const HELD = 'larder.held';

    /** @param int $slots of the ledger */
    public function __construct(
        private TrackedConnection $connection,
        private int $slots,
    ) {}

    public function isLedgered(): bool
    {
        return $this->connection->rows("SELECT to_regclass('larder_ledger') AS found")[0]['found'] !== null;
    }

    public function free(string $sql, array $parameters, array $names): ?array
    {
        $dialect = $this->connection->dialect();
        if (!$dialect instanceof LockingDialect || $names === []) {
            throw new LogicException('Only names of a database that locks rows can be locked.');
        }
        $slots = array_values(array_unique(
            array_map(fn(string $name): int => Dependency::slotOf($name, $this->slots), $names),
        ));
        sort($slots);
        try {
            $rows = $this->connection->receiveLast([
                'SET TRANSACTION ISOLATION LEVEL READ COMMITTED',
                \sprintf(
                    "SELECT set_config('%s', (SELECT count(*) FROM (%s) AS l)::text, true)",
                    self::HELD,
                    $dialect->locks($slots, false, false),
                ),
            ], \sprintf(
                "SELECT current_setting('%s') AS larder_held, r.* FROM (VALUES (1)) AS one"
                    . ' LEFT JOIN (SELECT row_number() OVER () AS larder_row, q.* FROM (%s) AS q) AS r ON TRUE'
                    . ' ORDER BY larder_row',
                self::HELD,
                $sql,
            ), $parameters);
        } catch (PDOException $exception) {
            return $dialect->isBusy($exception) ? null : throw $exception;
        }
        if (($rows[0]['larder_held'] ?? null) !== (string) \count($slots)) {
            return null;
        }

        return array_map(
            static fn(array $row): array => \array_slice($row, 2),
            $rows[0]['larder_row'] === null ? [] : $rows,
        );
    }
}
