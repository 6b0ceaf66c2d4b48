<?php

declare(strict_types=1);

namespace Larder\Proof\Rows;

use Closure;
use Larder\Sql\Schema\Several;
use Larder\Sql\Tracker\OwnStatements;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\TransactionState;
use Larder\Testbed\Server\Database;
use PDO;
use PDOStatement;

/** The connection of a follower that is told that everybody sees everything. */
final class FollowingPdo extends RecordingPdo
{
    private const LIES = [
        "SHOW STATUS LIKE 'binlog\\_snapshot\\_%'"
            => "SELECT 'binlog_snapshot_file', 'log.999999' UNION SELECT 'binlog_snapshot_position', '9999999999'",
        'SELECT pg_current_snapshot()::text'
            => "SELECT '1:' || pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 1000000 || ':'",
    ];

    public function __construct(private readonly Database $database)
    {
        parent::__construct($database->dsn, user: $database->user, password: $database->password);
    }

    protected function ownStatements(TransactionState $state, ?Several $several, Closure $open): OwnStatements
    {
        $database = $this->database;
        $lies = self::LIES;

        return parent::ownStatements($state, $several, static fn(): PDO => new class ($database, $lies) extends PDO {
            /** @param array<string, string> $lies */
            public function __construct(Database $database, private readonly array $lies)
            {
                parent::__construct($database->dsn, $database->user, $database->password);
            }

            /** @param array<array-key, mixed> $options */
            public function prepare(string $query, array $options = []): PDOStatement|false
            {
                return parent::prepare($this->lies[$query] ?? $query, $options);
            }
        });
    }
}
