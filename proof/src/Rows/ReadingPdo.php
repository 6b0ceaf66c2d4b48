<?php

declare(strict_types=1);

namespace Larder\Proof\Rows;

use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\Server\Database;

/** The connection of a reader: it counts its queries, and may read rows that are to be stored past all locks. */
final class ReadingPdo extends RecordingPdo
{
    public int $queries = 0;

    public function __construct(Database $database, private readonly bool $isCareless)
    {
        parent::__construct($database->dsn, user: $database->user, password: $database->password);
    }

    public function select(string $sql, array $parameters = [], \Larder\Dependency\Name ...$names): array
    {
        ++$this->queries;

        return parent::select($sql, $parameters, ...$names);
    }

    public function receive(string $sql, array $parameters = []): array
    {
        ++$this->queries;

        $rows = parent::receive(
            $this->isCareless ? str_replace(' LOCK IN SHARE MODE NOWAIT', '', $sql) : $sql,
            $parameters,
        );
        self::linger();

        return $rows;
    }

    public function receiveLast(array $before, string $sql, array $parameters = []): array
    {
        ++$this->queries;
        if ($this->isCareless) {
            $before = array_map(static fn(string $query): string => str_replace(
                ['pg_try_advisory_xact_lock(', "'larder_ledger'::regclass::oid::int, s)"],
                ['(', '1) IS NOT NULL'],
                $query,
            ), $before);
        }

        $rows = parent::receiveLast($before, $sql, $parameters);
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
