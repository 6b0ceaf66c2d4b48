<?php

declare(strict_types=1);

namespace Larder\Torture\Contention;

use Larder\Exception\LedgerUnavailable;
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
