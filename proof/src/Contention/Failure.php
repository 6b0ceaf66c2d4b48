<?php

declare(strict_types=1);

namespace Larder\Proof\Contention;

use Larder\Sql\Exception\LedgerUnavailable;
use Throwable;

/** Why a writer's transaction was not committed, as MariaDB's numbers and PostgreSQL's states tell. */
enum Failure
{
    /** MariaDB 1213, PostgreSQL 40P01. */
    case Deadlock;
    /** MariaDB 1205, PostgreSQL 55P03. */
    case LockTimeout;
    /** MariaDB 1020, PostgreSQL 40001. */
    case OldSnapshot;
    /** A constraint: another writer was faster, as it can be on plain connections. */
    case Constraint;
    /** Larder could not make a change known. */
    case Ledger;
    case Other;

    /** Conflicts per 1,000 transactions that are the same as none where the control has some as well. */
    private const SAME = 1.0;

    /** By how much waiting for Larder's own work may raise conflicts that the plain application has too. */
    private const MORE = 3.0;

    /**
     * Whether recording writers failed much more often than plain ones, or at all where plain ones never did.
     *
     * @param array{int, int} $failed plain, recording
     * @param array{int, int} $done   transactions of each, more than none
     */
    public static function areMore(array $failed, array $done): bool
    {
        $rates = [1000 * $failed[0] / $done[0], 1000 * $failed[1] / $done[1]];

        return $rates[1] > $rates[0] * self::MORE + ($failed[0] > 0 ? self::SAME : 0.0);
    }

    public static function of(Throwable $failure): self
    {
        for ($cause = $failure; $cause !== null; $cause = $cause->getPrevious()) {
            $info = $cause instanceof \PDOException ? $cause->errorInfo : null;
            $kind = match (true) {
                ($info[1] ?? null) === 1213, ($info[0] ?? null) === '40P01' => self::Deadlock,
                ($info[1] ?? null) === 1205, ($info[0] ?? null) === '55P03' => self::LockTimeout,
                ($info[1] ?? null) === 1020, ($info[0] ?? null) === '40001' => self::OldSnapshot,
                ($info[0] ?? null) === '23000', ($info[0] ?? null) === '23505', ($info[0] ?? null) === '23503'
                    => self::Constraint,
                default => null,
            };
            if ($kind !== null) {
                return $kind;
            }
        }

        return $failure instanceof LedgerUnavailable ? self::Ledger : self::Other;
    }
}
