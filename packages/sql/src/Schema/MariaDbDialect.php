<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

use Closure;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Reading\Grammar;
use Larder\Sql\Reading\MariaDbGrammar;
use PDO;
use PDOException;

/**
 * MariaDB 10.11 and later, with InnoDB. MySQL 8 speaks the same words, but nothing here was run on it.
 *
 * @internal
 *
 * @see https://mariadb.com/kb/en/set-transaction/
 */
final readonly class MariaDbDialect implements LockingDialect
{
    /** Errors of guarded(): there is no such locale; one that no server has. */
    public const STRAYED = [1649, 30001];

    /** The account of the session, as GRANT has it. */
    public const GRANTEE = "CONCAT('''', LEFT(CURRENT_USER(), CHAR_LENGTH(CURRENT_USER())"
        . " - CHAR_LENGTH(SUBSTRING_INDEX(CURRENT_USER(), '@', -1)) - 1), '''@''',"
        . " SUBSTRING_INDEX(CURRENT_USER(), '@', -1), '''')";

    private const DUPLICATES = [1022, 1062, 1169, 1586];
    private const REFERENCES = [1216, 1217, 1451, 1452];
    private const CHECKS = [1048, 4025, 3819];

    /** Errors of MariaDB that end no transaction: of the text, of a name, of a value, of a constraint. */
    private const HARMLESS = [
        1022, 1048, 1050, 1051, 1054, 1062, 1064, 1091, 1146, 1169, 1216, 1217, 1264, 1265, 1292, 1364, 1365, 1366,
        1406, 1451, 1452, 1586, 1690, 4025,
    ];

    /** A lock that was waited for too long, or not at all; a deadlock; a row of a later state than the snapshot. */
    private const BUSY = [1205, 1213, 1020, 3572];

    /** Values that it numbers a row by itself for. */
    private const UNNUMBERED = ['null', 'default', '0', "'0'", "''"];

    /** @param bool $takesSeveral false: the second connection sends each statement by itself, for tests that look on */
    public function __construct(private bool $takesSeveral = true) {}

    public function grammar(): Grammar
    {
        return new MariaDbGrammar();
    }

    public function catalog(): LockingCatalog
    {
        return new MariaDbCatalog();
    }

    public function choose(Closure $oneWriter, Closure $locking): mixed
    {
        return $locking($this);
    }

    public function outside(): string
    {
        return '';
    }

    public function atEnd(): null
    {
        return null;
    }

    public function lockRow(): string
    {
        return ' FOR UPDATE';
    }

    public function log(): RowLog
    {
        return RowLog::Binary;
    }

    public function commitsByItself(): bool
    {
        return true;
    }

    public function twoPhases(): string
    {
        return 'xa';
    }

    public function advisoryLock(string $slot, bool $isShared, bool $waits): null
    {
        return null;
    }

    /** Those that others hold are left out, as the statement itself waits for them. */
    public function lockFound(bool $isUnique, bool $isDelete): string
    {
        return $isUnique ? ' FOR UPDATE' : ' FOR UPDATE SKIP LOCKED';
    }

    public function lockWritten(): string
    {
        return ' FOR UPDATE';
    }

    public function countsSame(): bool
    {
        return false;
    }

    public function countsReturned(): bool
    {
        return false;
    }

    public function tellsUpsert(): bool
    {
        return true;
    }

    public function comparesTextWithNumber(): bool
    {
        return true;
    }

    public function makesKey(int|string|float|bool|null $value, bool $isParameter, bool $isNumbered): bool
    {
        return \in_array((string) $value, self::UNNUMBERED, true)
            || ($isNumbered && (float) trim((string) $value, "'") === 0.0);
    }

    public function numbered(string $column, string $inserted, array $sequence): ?array
    {
        return (int) $inserted === 0 ? null : [$column . ' = ?', [(int) $inserted]];
    }

    public function introduction(): array
    {
        return [
            'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
            // Nothing is cut to fit, and no quoting depends on the server's setting.
            "SET NAMES utf8mb4, SESSION sql_mode = 'STRICT_ALL_TABLES', SESSION innodb_lock_wait_timeout = 1,"
                . ' SESSION lock_wait_timeout = 1',
        ];
    }

    public function once(): array
    {
        return [PDO::ATTR_EMULATE_PREPARES => true];
    }

    public function options(): array
    {
        return [
            PDO::ATTR_TIMEOUT, PDO::MYSQL_ATTR_SSL_KEY, PDO::MYSQL_ATTR_SSL_CERT, PDO::MYSQL_ATTR_SSL_CA,
            PDO::MYSQL_ATTR_SSL_CAPATH, PDO::MYSQL_ATTR_SSL_CIPHER, PDO::MYSQL_ATTR_SSL_VERIFY_SERVER_CERT,
        ];
    }

    public function driver(): string
    {
        return 'mysql';
    }

    public function unopened(string $dsn, PDOException $exception): PDOException
    {
        return $exception;
    }

    public function clock(): string
    {
        return 'SELECT UNIX_TIMESTAMP()';
    }

    public function begin(): string
    {
        return 'START TRANSACTION';
    }

    /**
     * Begins a transaction unless functions of PHP have changed the session: then it fails with one of STRAYED, and
     * leaves the session as it is. LOCK TABLES is not seen, since looking for it costs as much as a statement.
     *
     * A variable that is set to what it is, for one statement, costs half of a block with IF.
     *
     * @param non-empty-list<string> $begin
     * @param bool                   $isAuto whether a statement must be a transaction by itself
     * @param string|null            $home   the database; '': none; null: any
     */
    public function guarded(array $begin, bool $isAuto, ?string $home): string
    {
        $strayed = '@@in_transaction' . ($isAuto ? ' OR NOT @@autocommit' : '') . match ($home) {
            null => '',
            '' => ' OR DATABASE() IS NOT NULL',
            default => " OR NOT (DATABASE() <=> X'" . bin2hex($home) . "')",
        };

        return isset($begin[1])
            ? "BEGIN NOT ATOMIC IF $strayed THEN SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = " . self::STRAYED[1]
                . '; END IF; ' . implode('; ', $begin) . '; END'
            : "SET STATEMENT lc_time_names = IF($strayed, 'a function strayed', @@lc_time_names) FOR $begin[0]";
    }

    /** A session below REPEATABLE READ gets no snapshot by the second statement alone, and no warning. */
    public function beginSnapshot(): array
    {
        return [
            'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ',
            'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY',
        ];
    }

    public function patience(int $milliseconds, int $usual): array
    {
        $set = 'SET SESSION innodb_lock_wait_timeout = %d';

        return [\sprintf($set, intdiv($milliseconds + 999, 1000)), \sprintf($set, intdiv($usual, 1000))];
    }

    public function usualPatience(): string
    {
        return 'SELECT @@SESSION.innodb_lock_wait_timeout * 1000';
    }

    public function isBusy(PDOException $exception): bool
    {
        return \in_array($exception->errorInfo[1] ?? null, self::BUSY, true);
    }

    public function isConstraint(PDOException $exception): bool
    {
        $codes = [...self::DUPLICATES, ...self::REFERENCES, ...self::CHECKS];

        return \in_array($exception->errorInfo[1] ?? null, $codes, true);
    }

    /** START TRANSACTION inside a transaction commits it, so that is never tried. */
    public function isNested(PDOException $exception): bool
    {
        return false;
    }

    /** The driver takes it for granted. */
    public function several(array $options = []): ?Several
    {
        return ($options[PDO::MYSQL_ATTR_MULTI_STATEMENTS] ?? true) === true
            ? Several::WithAllRows
            : null;
    }

    public function runsAsOne(): bool
    {
        return false;
    }

    public function leavesRows(): bool
    {
        return true;
    }

    public function isUnbuffered(PDO $connection): bool
    {
        return !(bool) $connection->getAttribute(PDO::MYSQL_ATTR_USE_BUFFERED_QUERY);
    }

    public function first(array $options): string
    {
        $first = $options[PDO::MYSQL_ATTR_INIT_COMMAND] ?? '';

        return \is_string($first) ? $first : '';
    }

    public function hasLastNumber(): bool
    {
        return true;
    }

    public function failsWhole(): bool
    {
        return false;
    }

    /** Its answer of an error does not say whether the transaction is still open: that of the next statement does. */
    public function afterError(PDOException $exception): string
    {
        return \in_array($exception->errorInfo[1] ?? null, self::HARMLESS, true) ? '' : 'DO 0';
    }

    public function runDeferred(): string
    {
        return '';
    }

    public function session(): string
    {
        return "SELECT @@SESSION.sql_mode AS mode, COALESCE(DATABASE(), '') AS home, @@SESSION.autocommit AS auto,"
            . " @@SESSION.character_set_client AS charset, '' AS hidden, '' AS `schema`";
    }

    public function grammarOf(array $session, Closure $functions): Grammar
    {
        return MariaDbGrammar::of(
            $session['mode'],
            $session['home'] === '' ? null : $session['home'],
            $session['charset'],
        );
    }

    public function quote(string $identifier): string
    {
        return '`' . str_replace('`', '``', $identifier) . '`';
    }

    public function insertIfAbsent(string $table, array $columns): string
    {
        return \sprintf(
            'INSERT IGNORE INTO %s (%s) VALUES (%s)',
            $table,
            implode(', ', $columns),
            implode(', ', array_fill(0, \count($columns), '?')),
        );
    }

    public function rowNumber(): string
    {
        return '';
    }

    public function isFound(string $column): string
    {
        return $column . ' IS NOT NULL';
    }

    public function changes(): string
    {
        return 'SELECT ROW_COUNT()';
    }

    public function lock(string $table): string
    {
        return '';
    }

    public function advice(): null
    {
        return null;
    }

    /** SKIP LOCKED, since NOWAIT's error is that of a wait that was too long. */
    public function locks(array $slots, bool $isShared, bool $waits): string
    {
        return \sprintf(
            'SELECT slot FROM larder_lock WHERE slot IN (%s) ORDER BY slot %s%s',
            implode(', ', $slots),
            $isShared ? 'LOCK IN SHARE MODE' : 'FOR UPDATE',
            $waits ? '' : ' SKIP LOCKED',
        );
    }

    /**
     * Each slot is looked up by its key, in the list's order: a range of many could be read, and locked, as a whole.
     */
    public function raises(array $slots, int $number, bool $isShared, array $beside = []): array
    {
        return [...($beside === [] ? [] : [$this->locks($beside, true, true)]), \sprintf(
            "INSERT INTO larder_raise (slot, raise) SELECT l.slot, %d FROM JSON_TABLE('[%s]', '$[*]'"
                . " COLUMNS (slot INT PATH '$')) s STRAIGHT_JOIN larder_lock l ON l.slot = s.slot %s",
            $number,
            implode(', ', $slots),
            $isShared ? 'LOCK IN SHARE MODE' : 'FOR UPDATE',
        )];
    }

    public function freeRows(): string
    {
        return 'FOR UPDATE SKIP LOCKED';
    }

    /** By the whole keys, since a look at all raises of a slot would wait for those that are not committed. */
    public function compact(Connection $connection, array $slots, int $most): void
    {
        $many = array_column($connection->rows(
            'SELECT slot FROM larder_raise WHERE slot IN (' . implode(', ', $slots) . ') GROUP BY slot'
                . " HAVING COUNT(*) > $most",
        ), 'slot');
        /** @var list<array{slot: int, raise: int}> $rows */
        $rows = $many === [] ? [] : $connection->rows(
            'SELECT slot, raise FROM larder_raise WHERE slot IN (' . implode(', ', $many) . ') ' . $this->freeRows(),
        );
        if ($rows === []) {
            return;
        }
        $raises = $sums = [];
        foreach ($rows as ['slot' => $slot, 'raise' => $raise]) {
            $raises[] = [$slot, $raise];
            $sums[$slot] = ($sums[$slot] ?? 0) ^ $raise;
        }
        $deleted = $connection->change(\sprintf(
            "DELETE r FROM JSON_TABLE('%s', '$[*]' COLUMNS (slot INT PATH '$[0]', raise BIGINT PATH '$[1]')) k"
                . ' STRAIGHT_JOIN larder_raise r FORCE INDEX (PRIMARY) ON r.slot = k.slot AND r.raise = k.raise',
            json_encode($raises, JSON_THROW_ON_ERROR),
        ));
        if ($deleted !== \count($raises)) {
            throw LedgerUnavailable::notInstalled();
        }
        $values = array_map(static fn(int $slot, int $sum): string => "($slot, $sum)", array_keys($sums), $sums);
        $connection->change('INSERT INTO larder_raise (slot, raise) VALUES ' . implode(', ', $values));
    }

    public function durability(): string
    {
        return 'CASE @@GLOBAL.innodb_flush_log_at_trx_commit WHEN 0 THEN 0 WHEN 2 THEN 1 ELSE 2 END';
    }

    /** A connection by a socket has no port. */
    public function isLocal(): string
    {
        return "SELECT HOST = 'localhost' AS local FROM information_schema.PROCESSLIST WHERE ID = CONNECTION_ID()";
    }

    /** It has gone away, or was closed for being idle (4031 of MySQL). */
    public function isClosed(PDOException $exception): bool
    {
        return \in_array($exception->errorInfo[1] ?? null, [2006, 4031], true);
    }

    public function addTo(string $table, string $keys, string $sum): string
    {
        return \sprintf(
            'INSERT INTO %1$s (%2$s, %3$s) VALUES (%4$s) ON DUPLICATE KEY UPDATE %3$s = %3$s + VALUES(%3$s)',
            $table,
            $keys,
            $sum,
            implode(', ', array_fill(0, substr_count($keys, ',') + 2, '?')),
        );
    }

    public function by(string $index): string
    {
        return \sprintf(' FORCE INDEX (%s)', $index);
    }

    public function lastNumber(): string
    {
        return 'LAST_INSERT_ID()';
    }

    public function takesSeveral(): ?Several
    {
        return $this->takesSeveral ? Several::WithAllRows : null;
    }

    /** No program between gives its session to others: what is set goes with the client. */
    public function beginSecond(?string $snapshot = null): string
    {
        return $this->begin();
    }

    public function alone(?string $snapshot = null): string
    {
        return '';
    }

    public function exportedSnapshot(): null
    {
        return null;
    }

    /** This form alone can name an index. */
    public function delete(string $table): string
    {
        return "DELETE t FROM $table t";
    }

    public function ownerLock(): string
    {
        return "SELECT CONNECTION_ID() AS owner, GET_LOCK(CONCAT('larder_gate_', CONNECTION_ID()), 0) AS held";
    }

    public function gatesWithoutOwner(): string
    {
        return "SELECT id FROM larder_gate WHERE IS_FREE_LOCK(CONCAT('larder_gate_', owner)) = 1";
    }

    public function account(): string
    {
        return self::GRANTEE;
    }

    public function rights(): array
    {
        return [[
            'check' => 'the account of the database may read what triggers do',
            'query' => "SELECT COUNT(*) > 0 AS has FROM (SELECT GRANTEE, PRIVILEGE_TYPE, '%' AS place"
                . ' FROM information_schema.USER_PRIVILEGES UNION ALL SELECT GRANTEE, PRIVILEGE_TYPE, TABLE_SCHEMA'
                . " FROM information_schema.SCHEMA_PRIVILEGES) g WHERE PRIVILEGE_TYPE = 'TRIGGER'"
                . ' AND DATABASE() LIKE place'
                . ' AND GRANTEE = ' . self::GRANTEE,
            'remedy' => 'so a change of a table with a trigger counts as a change of every table: GRANT TRIGGER ON the'
                . ' database',
            'isNeeded' => false,
        ]];
    }

    /** Names are bytes: a text's collation would pad them, and its keys are four times as long. */
    public function schema(int $slots): array
    {
        $tables = [
            'larder_ledger' => 'one TINYINT NOT NULL PRIMARY KEY, id CHAR(32) NOT NULL, generation BIGINT NOT NULL,'
                . ' registry VARCHAR(255) NOT NULL, `release` VARCHAR(255) NOT NULL, slots INT NOT NULL',
            'larder_lock' => 'slot INT NOT NULL PRIMARY KEY',
            'larder_raise' => 'slot INT NOT NULL, raise BIGINT NOT NULL, PRIMARY KEY (slot, raise)',
            'larder_gate' => 'id BIGINT NOT NULL PRIMARY KEY, owner VARCHAR(64) NOT NULL',
            'larder_page' => 'id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, page VARCHAR(255) NULL UNIQUE,'
                . ' draft VARCHAR(64) NOT NULL, `release` VARCHAR(255) NOT NULL, route VARCHAR(512) NOT NULL,'
                . ' bytes BIGINT NOT NULL, expires BIGINT NULL, KEY larder_page_route (route, id),'
                . ' KEY larder_page_expires (expires)',
            'larder_edge' => 'name VARBINARY(1000) NOT NULL, page BIGINT NOT NULL, PRIMARY KEY (name, page),'
                . ' KEY larder_edge_page (page)',
            'larder_place' => 'path VARBINARY(3000) NOT NULL PRIMARY KEY, served TINYINT NOT NULL,'
                . ' since BIGINT NOT NULL',
            'larder_set' => 'id INT NOT NULL PRIMARY KEY, tbl VARCHAR(255) NOT NULL, columns VARCHAR(500) NOT NULL,'
                . ' UNIQUE (tbl, columns)',
            'larder_plan' => 'life CHAR(32) NOT NULL, version BIGINT NOT NULL, session CHAR(32) NOT NULL,'
                . ' query CHAR(32) NOT NULL, answer LONGTEXT NOT NULL, made BIGINT NOT NULL,'
                . ' PRIMARY KEY (life, version, session, query)',
            'larder_route' => 'route VARCHAR(512) NOT NULL, part INT NOT NULL, bytes BIGINT NOT NULL,'
                . ' PRIMARY KEY (route, part)',
        ];
        $statements = [];
        foreach ($tables as $name => $columns) {
            $statements[] = "CREATE TABLE IF NOT EXISTS $name ($columns) ENGINE = InnoDB"
                . ' CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';
        }

        return [
            ...$statements,
            \sprintf(
                'INSERT IGNORE INTO larder_lock (slot) WITH RECURSIVE d (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM d'
                    . ' WHERE n < 255) SELECT h.n * 256 + l.n FROM d h, d l WHERE h.n * 256 + l.n < %d'
                    . ' UNION ALL SELECT %d UNION ALL SELECT %d UNION ALL SELECT %d',
                $slots,
                self::SCHEMA,
                self::SETS,
                self::EVERYTHING,
            ),
            \sprintf(
                'INSERT INTO larder_raise (slot, raise) SELECT %1$d, 1 FROM larder_lock WHERE slot = %1$d'
                    . ' AND NOT EXISTS (SELECT 1 FROM larder_raise WHERE slot = %1$d)',
                self::SCHEMA,
            ),
        ];
    }
}
