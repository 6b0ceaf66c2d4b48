<?php

declare(strict_types=1);

namespace Larder\Follow\PostgreSql;

use Larder\Follow\Committed;
use Larder\Follow\Exception\LogUnreadable;
use Larder\Follow\Facts;
use Larder\Follow\Log;
use Larder\Follow\LogEvent;
use Larder\Follow\Position;
use Larder\Follow\Queries;
use PDOException;

/**
 * @internal A slot of PostgreSQL's logical decoding, with the plugin test_decoding. What is read is looked at only; the
 * slot goes on when the work is done.
 *
 * A transaction is in the log before it is over for others: it can be seen once no snapshot has its number as running.
 */
final class LogicalSlot implements Log
{
    /**
     * Bytes of the log after whose transactions a look ends, as the server keeps what it tells on its disk. Each look
     * reads the log again from some place before, so of much that waits few looks are to be made.
     */
    private const SPAN = 64 << 20;

    /** Changes that are fetched at once, since a transaction may have any number. */
    private const FETCHED = 500;

    /** Seconds between two looks at a log that had nothing new. */
    private const PAUSE = 0.005;

    /** Seconds, at least, after which the server is told again: that makes it read as much as a look does. */
    private const TELL = 0.25;

    /** SQLSTATE of what was waited for too long. */
    private const LOCKED = '55P03';

    private readonly PostgreSqlFacts $facts;

    /** Whether the cursor of a look is open. */
    private bool $isLooking = false;

    /** Where the last look ended. */
    private int $seen = 0;

    private int $acknowledged = 0;

    /** What the server knows of that. */
    private int $advanced = 0;

    /** Bytes of this look. */
    private int $span = self::SPAN;

    /** Whether this look has told anything. */
    private bool $hasTold = false;

    private float $advancedAt = 0.0;

    /** Transactions that were looked at, of which the server does not know. They come first in each look. */
    private int $known = 0;

    /** Those of them that this look has not come to. */
    private int $skipped = 0;

    /**
     * @param string $slot     its name, in a-z, 0-9 and _
     * @param int    $patience seconds that are waited for transactions of others
     */
    public function __construct(
        private readonly Queries $queries,
        private readonly string $slot,
        private readonly int $patience = 10,
    ) {
        $this->facts = new PostgreSqlFacts($queries);
    }

    public function objections(): array
    {
        if (($this->queries->texts('SHOW wal_level')[0] ?? '') !== 'logical') {
            return ['wal_level is not logical: wal_level = logical'];
        }
        $tables = $this->queries->texts(<<<'SQL'
            SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = current_schema() AND c.relkind = 'r' AND c.relpersistence = 'p'
                AND c.relreplident <> 'f' AND c.relname !~ '^larder_' ORDER BY 1 LIMIT 20
            SQL);

        return $tables === [] ? [] : [\sprintf(
            'the log has no whole rows of %s, so that such tables end as a whole: ALTER TABLE … REPLICA IDENTITY FULL',
            implode(', ', $tables),
        )];
    }

    public function facts(): Facts
    {
        return $this->facts;
    }

    /** Makes the slot, if it is not there: what is committed from now on stays until it is acknowledged. */
    public function end(): Position
    {
        if ($this->slotAt() === null) {
            $this->make();
        }

        return new Position($this->slot, $this->logEnds());
    }

    public function begin(Position $from): void
    {
        $this->close();
        $at = $this->slotAt();
        if ($at === null) {
            throw LogUnreadable::positionLost("the database has no slot \"$this->slot\"");
        }
        if ($from->file !== $this->slot || $at > $from->offset) {
            throw LogUnreadable::positionLost("the slot \"$this->slot\" is behind " . $from->text());
        }
        $this->seen = 0;
        $this->known = 0;
        $this->advanced = $at;
        $this->acknowledge($from);
        $this->advance();
    }

    public function read(float $seconds): array
    {
        $end = microtime(true) + $seconds;
        do {
            $events = $this->look();
            if ($events !== [] || $this->isLooking) {
                return $events;
            }
            usleep((int) max(0, min(self::PAUSE, $end - microtime(true)) * 1e6));
        } while (microtime(true) < $end);

        return [];
    }

    public function hasMore(): bool
    {
        return $this->isLooking;
    }

    public function await(Committed $last, array $transactions): void
    {
        $numbers = array_map(intval(...), $transactions);
        $end = microtime(true) + $this->patience;
        while (!self::areOver($this->queries->texts('SELECT pg_current_snapshot()::text')[0] ?? '', $numbers)) {
            if (microtime(true) > $end) {
                throw LogUnreadable::because('what it has is not committed: ' . $last->position->text());
            }
            usleep(500);
        }
    }

    /** The server is told before a later look. */
    public function acknowledge(Position $position): void
    {
        $this->acknowledged = $position->offset;
    }

    public function fingerprint(): string
    {
        return $this->facts->fingerprint();
    }

    public function close(): void
    {
        try {
            if ($this->isLooking) {
                $this->isLooking = false;
                $this->queries->change('ROLLBACK');
            }
            $this->advance();
        } catch (PDOException) {
            return;
        }
    }

    /** The server waits for all who write just now, and by itself for ever. */
    private function make(): void
    {
        $this->queries->change("SET lock_timeout = '{$this->patience}s'");
        try {
            $this->queries->rows(
                "SELECT lsn FROM pg_create_logical_replication_slot(?, 'test_decoding')",
                [$this->slot],
            );
        } catch (PDOException $exception) {
            throw $exception->getCode() !== self::LOCKED ? $exception : LogUnreadable::because(
                "a transaction that stays open keeps the slot \"$this->slot\" from being made; pg_stat_activity has it",
            );
        }
        $this->queries->change('SET lock_timeout = DEFAULT');
    }

    private function advance(): void
    {
        if ($this->acknowledged > $this->advanced) {
            $this->queries->rows('SELECT pg_replication_slot_advance(?, ?::pg_lsn)', [
                $this->slot, self::lsn($this->acknowledged),
            ]);
            $this->advanced = $this->acknowledged;
            $this->advancedAt = microtime(true);
            $this->known = 0;
        }
    }

    /** @param list<int> $numbers of 32 bits */
    private static function areOver(string $snapshot, array $numbers): bool
    {
        [, $next, $running] = [...explode(':', $snapshot), '', ''];
        $known = array_flip(array_map(
            static fn(string $number): int => (int) $number & 0xffffffff,
            $running === '' ? [] : explode(',', $running),
        ));
        foreach ($numbers as $number) {
            $ahead = (((int) $next & 0xffffffff) - $number) & 0xffffffff;
            if (isset($known[$number]) || $ahead === 0 || $ahead > 0x7fffffff) {
                return false;
            }
        }

        return true;
    }

    /**
     * Looks at what is not acknowledged. What was looked at before comes again, and is left out.
     *
     * @return list<LogEvent>
     */
    private function look(): array
    {
        if (!$this->isLooking) {
            if ($this->acknowledged >= $this->seen && microtime(true) >= $this->advancedAt + self::TELL) {
                $this->advance();
            }
            $this->skipped = $this->known;
            $this->queries->change('BEGIN ISOLATION LEVEL READ COMMITTED');
            $this->isLooking = true;
            $this->hasTold = false;
            $schema = $this->facts->schema();
            $this->queries->change(\sprintf(
                'DECLARE larder_log NO SCROLL CURSOR FOR SELECT lsn, xid, data FROM pg_logical_slot_peek_changes('
                    . "'%s', '%s', NULL, 'include-xids', 'on', 'skip-empty-xacts', 'on')%s",
                $this->slot,
                self::lsn($this->lookEnds()),
                // That raises of the ledger were made one says nothing.
                preg_match('/^[a-z][a-z0-9_]*$/D', $schema) === 1
                    ? " WHERE NOT starts_with(data, 'table $schema.larder_raise: DELETE:')"
                    : '',
            ));
        }
        $rows = $this->queries->rows('FETCH FORWARD ' . self::FETCHED . ' FROM larder_log');
        $events = [];
        foreach ($rows as $row) {
            /** @var array{string, string|int, string} $row */
            [$lsn, $number, $text] = $row;
            $isOver = str_starts_with($text, 'COMMIT ');
            if ($this->skipped > 0) {
                $this->skipped -= $isOver ? 1 : 0;
                continue;
            }
            if ($isOver) {
                ++$this->known;
                $at = self::number($lsn);
                if ($at > $this->seen) {
                    $this->seen = $at;
                    $events[] = new Committed(new Position($this->slot, $at), (string) $number);
                }
            } else {
                foreach (TestDecoding::read($text) as $event) {
                    $events[] = $event;
                }
            }
        }
        $this->hasTold = $this->hasTold || $rows !== [];
        if (\count($rows) < self::FETCHED) {
            $this->queries->change('COMMIT');
            $this->isLooking = false;
            // A transaction may be longer than a look.
            $this->span = !$this->hasTold && $this->lookEnds() < $this->logEnds() ? 2 * $this->span : self::SPAN;
        }

        return $events;
    }

    private function lookEnds(): int
    {
        return max($this->seen, $this->acknowledged) + $this->span;
    }

    private function logEnds(): int
    {
        return self::number($this->queries->texts('SELECT pg_current_wal_insert_lsn()')[0] ?? '');
    }

    private function slotAt(): ?int
    {
        $row = $this->queries->rows(
            "SELECT coalesce(confirmed_flush_lsn, restart_lsn)::text, plugin, wal_status FROM pg_replication_slots"
                . ' WHERE slot_name = ?',
            [$this->slot],
        )[0] ?? [];
        if (($row[2] ?? '') === 'lost' || !\is_string($row[0] ?? null)) {
            return null;
        }
        if (($row[1] ?? '') !== 'test_decoding') {
            throw LogUnreadable::because("the slot \"$this->slot\" is of another plugin than test_decoding");
        }

        return self::number($row[0]);
    }

    private static function number(string $lsn): int
    {
        if (preg_match('/^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/D', $lsn, $parts) !== 1) {
            throw LogUnreadable::because('it has a place that is none');
        }

        return ((int) hexdec($parts[1]) << 32) | (int) hexdec($parts[2]);
    }

    private static function lsn(int $number): string
    {
        return \sprintf('%X/%X', $number >> 32, $number & 0xffffffff);
    }
}
