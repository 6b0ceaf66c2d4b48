<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Sql;

use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Subject;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Tracker\RecordingPdo;
use PDO;

/** A connection whose statements Larder sees, or one of two that it is compared with. */
final class TrackedConnection implements Subject
{
    public const ROWS = 1000;

    public PDO $pdo;

    /** @param class-string<PDO> $class PDO, BarePdo or RecordingPdo */
    public function __construct(private readonly string $class) {}

    public function connect(Context $context): void
    {
        $connections = new Connections($context);
        // As MariaDB's words are compared byte for byte too.
        $text = $connections->driver() === 'mysql' ? 'VARCHAR(80) COLLATE utf8mb4_bin' : 'VARCHAR(80)';
        $connections->make(
            'entry',
            "id INTEGER NOT NULL PRIMARY KEY, category $text NOT NULL, title $text NOT NULL",
            self::ROWS,
            static fn(int $row): array => [$row, 'of-' . $row % 10, "Title $row"],
        );
        $this->pdo = match ($this->class) {
            RecordingPdo::class => $connections->recording(),
            BarePdo::class => new BarePdo(...$connections->place(), options: Connections::OPTIONS + [
                PDO::ATTR_STATEMENT_CLASS => [BareStatement::class],
            ]),
            default => $connections->open(),
        };
        if ($this->pdo instanceof RecordingPdo) {
            SqlLedger::forValues($this->pdo);
        }
    }

    public function close(): void
    {
        unset($this->pdo);
    }
}
