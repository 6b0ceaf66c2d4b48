<?php

declare(strict_types=1);

namespace Larder\Proof\Exact;

use Closure;
use Larder\Tests\Support\Sql\Query;
use PDO;

/**
 * A copy on a server, whose triggers log the rows that are touched into a table.
 *
 * @phpstan-import-type Rows from Watch
 */
final class LoggedCopy implements Watch
{
    private bool $isWatching = true;

    /** @var Rows as they were at the last call */
    private array $rows;

    /**
     * @param PDO                        $watch     another connection to the same database
     * @param Closure(PDO): list<string> $unwatched the statements that remove the triggers
     */
    public function __construct(
        private readonly Host $host,
        private readonly PDO $connection,
        private readonly PDO $watch,
        private readonly Closure $unwatched,
    ) {
        $this->rows = WatchedCopy::rows($host, $watch);
    }

    public function connection(): PDO
    {
        return $this->connection;
    }

    public function unwatch(): void
    {
        if ($this->isWatching) {
            $this->isWatching = false;
            Trial::try($this->watch, ...($this->unwatched)($this->watch));
        }
    }

    public function touched(array $rows): ?array
    {
        if (!$this->isWatching) {
            return null;
        }
        $now = WatchedCopy::rows($this->host, $this->watch);
        $touched = [];
        foreach (Query::rows((new Query('SELECT name, was FROM larder_touched'))->run($this->watch)) as $row) {
            $values = json_decode(\is_string($row[1] ?? null) ? $row[1] : '', true);
            if (\is_string($row[0] ?? null) && \is_array($values)) {
                $touched[$row[0]][] = array_values($values);
            }
        }
        $this->watch->exec('DELETE FROM larder_touched');
        $touched = WatchedCopy::changed($touched, $this->rows, $now);
        $this->rows = $now;
        if ($rows !== $now) {
            $this->unwatch();
        }

        return $rows === $now ? $touched : null;
    }
}
