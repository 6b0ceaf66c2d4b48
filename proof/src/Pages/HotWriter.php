<?php

declare(strict_types=1);

namespace Larder\Proof\Pages;

use Larder\Dependency\RecordingPdo;
use Larder\Dependency\Registry;
use Larder\Dependency\SqlLedger;
use Larder\Exception\PageStoreFailed;
use Larder\Page\Pages;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\Site\DeployedSite;
use Throwable;

/** Changes hot items on one host, one by one, and counts those that were committed. */
final readonly class HotWriter
{
    private HotItems $items;
    private Writer $writer;

    /** Of a writer that tells at times what it changes. */
    private ?SqlLedger $ledger;

    /** @param int $number of this writer on the board */
    public function __construct(
        DeployedSite $host,
        WriterKind $kind,
        Registry $registry,
        private Board $board,
        private int $number,
    ) {
        $database = $host->database;
        $this->items = HotItems::of($database->connect());
        $connection = match ($kind) {
            WriterKind::Dbal => null,
            WriterKind::Mysqli => Pages::of($host->site)->follow(MysqliWriter::connect($database, $registry)),
            WriterKind::Pdo => Pages::of($host->site)->follow(
                new RecordingPdo($database->dsn, $registry, user: $database->user, password: $database->password),
            ),
        };
        if ($connection instanceof RecordingPdo && $database->kind === DatabaseKind::Sqlite) {
            $connection->exec('PRAGMA busy_timeout = 5000');
            $connection->exec('PRAGMA synchronous = NORMAL');
        }
        $this->ledger = $connection === null ? null : Pages::of($host->site)->ledger($connection);
        $this->writer = match (true) {
            $connection === null => new DbalWriter($host->site, $database, $registry),
            $connection instanceof RecordingPdo => new PdoWriter($connection),
            default => new MysqliWriter($connection),
        };
    }

    public function write(): void
    {
        try {
            $this->ledger !== null && random_int(0, 1) === 1
                ? $this->items->changeTold($this->ledger, $this->writer)
                : $this->items->change($this->writer);
            $this->board->add(PageCount::Changes, index: $this->number);
        } catch (Throwable $thrown) {
            if (!self::isRefused($thrown)) {
                throw $thrown;
            }
            $this->board->add(PageCount::ChangesRefused, index: $this->number);
        }
    }

    /** Whether a server of the pages was away, so that the change was rolled back, as it must be. */
    private static function isRefused(Throwable $thrown): bool
    {
        // Doctrine DBAL has another failure in front: it rolls back what is rolled back already.
        for ($cause = $thrown; $cause !== null; $cause = $cause->getPrevious()) {
            if ($cause instanceof PageStoreFailed) {
                return true;
            }
        }

        return false;
    }
}
