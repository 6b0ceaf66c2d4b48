<?php

declare(strict_types=1);

namespace Larder\Proof\Rows;

use Closure;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\Several;
use Larder\Sql\Tracker\PdoStatements;
use Larder\Sql\Tracker\TransactionState;
use PDO;

/** The queries by which rows are read that are to be stored, with their locks or without. */
final class ReadingStatements extends PdoStatements
{
    private const LOCK = ' LOCK IN SHARE MODE NOWAIT';

    public int $queries = 0;

    /** @param Closure(): PDO $open */
    public function __construct(
        PDO $connection,
        Dialect $dialect,
        TransactionState $state,
        ?Several $several,
        Closure $open,
        private readonly bool $isCareless,
    ) {
        parent::__construct($connection, $dialect, $state, $several, $open);
    }

    public function rows(string $sql, array $parameters = []): array
    {
        if (!str_contains($sql, self::LOCK)) {
            return parent::rows($sql, $parameters);
        }
        ++$this->queries;
        $rows = parent::rows($this->isCareless ? str_replace(self::LOCK, '', $sql) : $sql, $parameters);
        self::linger();

        return $rows;
    }

    public function last(array $before, string $sql, array $parameters = []): array
    {
        ++$this->queries;
        if ($this->isCareless) {
            $before = array_map(static fn(string $query): string => str_replace(
                ['pg_try_advisory_xact_lock(', "'larder_ledger'::regclass::oid::int, s)"],
                ['(', '1) IS NOT NULL'],
                $query,
            ), $before);
        }

        $rows = parent::last($before, $sql, $parameters);
        self::linger();

        return $rows;
    }

    /** Leaves time in which what was read can become old. */
    private static function linger(): void
    {
        if (mt_rand(1, 4) === 1) {
            usleep(mt_rand(0, 20_000));
        }
    }
}
