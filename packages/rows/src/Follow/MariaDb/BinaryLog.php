<?php

declare(strict_types=1);

namespace Larder\Follow\MariaDb;

use Larder\Follow\Committed;
use Larder\Follow\Exception\LogUnreadable;
use Larder\Follow\Facts;
use Larder\Follow\Log;
use Larder\Follow\Position;
use Larder\Follow\Queries;

/**
 * @internal MariaDB's binary log.
 *
 * A transaction is in it before anybody sees what it changed. A consistent snapshot tells up to which place of the log
 * it sees all, since InnoDB commits in the log's order.
 *
 * @see https://mariadb.com/kb/en/enhancements-for-start-transaction-with-consistent-snapshot/
 */
final class BinaryLog implements Log
{
    /** Seconds in which a transaction is seen that the log has. */
    private const PATIENCE = 10.0;

    private readonly MariaDbFacts $facts;

    private ?BinlogProgram $program = null;

    private ?BinlogParser $parser = null;

    private ?Position $seen = null;

    /** @param list<string> $access options of the program */
    public function __construct(
        private readonly Queries $queries,
        private readonly array $access,
        private readonly string $path = 'mariadb-binlog',
    ) {
        $this->facts = new MariaDbFacts($queries);
    }

    public function objections(): array
    {
        [[$log, $format, $image]] = $this->queries->rows(
            'SELECT @@GLOBAL.log_bin, @@GLOBAL.binlog_format, @@GLOBAL.binlog_row_image',
        );
        $objections = [];
        if ((string) $log !== '1') {
            return ['the server writes no binary log: log_bin, with a server_id of its own'];
        }
        if ($format !== 'ROW') {
            $objections[] = \sprintf(
                'binlog_format is %s, so that each such statement ends everything: binlog_format = ROW',
                $format,
            );
        }
        if ($image !== 'FULL') {
            $objections[] = \sprintf(
                'binlog_row_image is %s, so that tables end as a whole: binlog_row_image = FULL',
                $image,
            );
        }

        return $objections;
    }

    public function facts(): Facts
    {
        return $this->facts;
    }

    public function end(): Position
    {
        $status = $this->queries->rows('SHOW MASTER STATUS')[0] ?? [];
        if (!isset($status[0], $status[1])) {
            throw LogUnreadable::because('the server writes no binary log: log_bin, with a server_id of its own');
        }
        $file = (string) $status[0];
        $offset = (int) $status[1];

        return new Position($file, $offset, $this->gtidsAt($file, $offset) ?? '');
    }

    public function begin(Position $from): void
    {
        $this->close();
        // The same place of another server, or of a log that began anew, has had other transactions.
        $isSame = $this->gtidsAt($from->file, $from->offset) === $from->gtids;
        if (!$isSame && $from->gtids === '') {
            throw LogUnreadable::positionLost('the server has no such log as ' . $from->text());
        }
        $this->program = new BinlogProgram($this->path, $this->access, $isSame ? $from : new Position(
            $this->end()->file,
            0,
            $from->gtids,
        ), !$isSame);
        $this->parser = new BinlogParser($from);
        $this->seen = null;
    }

    public function read(float $seconds): array
    {
        if ($this->program === null || $this->parser === null) {
            throw LogUnreadable::because('nothing was begun');
        }
        $events = $this->parser->feed($this->program->read($seconds));
        $again = $this->parser->restartAt();
        if ($again !== null) {
            $this->program->stop();
            $this->program = new BinlogProgram(
                $this->path,
                $this->access,
                new Position($this->parser->file(), $again),
                false,
            );
            $this->parser->restarted();
        }

        return $events;
    }

    public function hasMore(): bool
    {
        return $this->program?->hasMore() ?? false;
    }

    public function await(Committed $last, array $transactions): void
    {
        $end = microtime(true) + self::PATIENCE;
        while ($this->seen?->hasReached($last->position) !== true) {
            if (microtime(true) > $end) {
                throw LogUnreadable::because('what it has is not committed: ' . $last->position->text());
            }
            $this->seen = $this->snapshot();
            if ($this->seen->hasReached($last->position)) {
                return;
            }
            usleep(500);
        }
    }

    public function acknowledge(Position $position): void {}

    public function fingerprint(): null
    {
        return null;
    }

    public function close(): void
    {
        $this->program?->stop();
        $this->program = $this->parser = null;
    }

    private function snapshot(): Position
    {
        $this->queries->change('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
        $this->queries->change('START TRANSACTION WITH CONSISTENT SNAPSHOT');
        $status = [];
        foreach ($this->queries->rows("SHOW STATUS LIKE 'binlog\\_snapshot\\_%'") as [$name, $value]) {
            $status[strtolower((string) $name)] = (string) $value;
        }
        $this->queries->change('COMMIT');

        return new Position(
            $status['binlog_snapshot_file'] ?? '',
            (int) ($status['binlog_snapshot_position'] ?? 0),
        );
    }

    /** @return string|null what was committed before this place; null: there is no such place */
    private function gtidsAt(string $file, int $offset): ?string
    {
        $gtids = $this->queries->rows('SELECT BINLOG_GTID_POS(?, ?)', [$file, $offset])[0][0] ?? null;
        if (!\is_string($gtids)) {
            return null;
        }
        $sorted = $gtids === '' ? [] : explode(',', $gtids);
        usort($sorted, static fn(string $a, string $b): int => (int) $a <=> (int) $b);

        return implode(',', $sorted);
    }
}
