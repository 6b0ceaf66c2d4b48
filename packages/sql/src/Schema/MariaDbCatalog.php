<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

use Larder\Sql\Reading\MariaDbGrammar;

/**
 * The schema of a MariaDB database, by information_schema.
 *
 * Its tables are slow to join, so each is read once and whole. An account without the right TRIGGER sees that there is
 * a trigger, and not its text.
 *
 * @internal
 */
final readonly class MariaDbCatalog implements LockingCatalog
{
    private const ORDINARY = "TABLE_TYPE = 'BASE TABLE' AND ENGINE = 'InnoDB'";

    /** Functions of a virtual column that give the same at any time and on any connection. */
    private const STABLE = 'abs|and|binary|case|cast|ceiling|char|char_length|coalesce|concat|concat_ws|convert|crc32'
        . '|dayofmonth|dayofweek|decimal|div|else|elt|extract|field|floor|greatest|hex|if|ifnull|in|instr|interval'
        . '|json_extract|json_unquote|json_value|lcase|least|left|length|like|locate|lower|lpad|ltrim|md5|mod|month'
        . '|not|nullif|octet_length|or|quarter|regexp|repeat|replace|reverse|right|round|rpad|rtrim|sha|sha1|sha2|sign'
        . '|substr|substring|then|trim|truncate|ucase|unhex|upper|when|xor|year';

    /** Words beside those that may stand before a parenthesis in the body of a trigger. They do not write. */
    private const HARMLESS = '|as|avg|between|bigint|by|count|curdate|current_date|current_time'
        . '|current_timestamp|curtime|date|date_add|date_format|date_sub|datediff|day|dayname|elseif|exists'
        . '|from|from_unixtime|group_concat|having|hour|insert|int|isnull|json_array|json_object|json_set'
        . '|key|last_insert_id|max|min|minute|now|on|over|pow|power|rand|row_count|second|select|set'
        . '|substring_index|sum|sysdate|time|timestamp|timestampdiff|unix_timestamp|until|using'
        . '|utc_timestamp|uuid|uuid_short|value|values|varchar|where|while';

    private const FACTS = <<<'SQL'
        SELECT 1 AS readable,
            EXISTS (SELECT 1 FROM information_schema.TRIGGERS WHERE EVENT_OBJECT_SCHEMA = DATABASE()
                AND EVENT_OBJECT_TABLE = ? AND ACTION_TIMING = 'BEFORE') AS watched,
            EXISTS (SELECT 1 FROM information_schema.TRIGGERS WHERE EVENT_OBJECT_SCHEMA = DATABASE()
                AND EVENT_OBJECT_TABLE = ?) AS triggered,
            COALESCE(MAX(CASE WHEN EXTRA LIKE '%auto_increment%' THEN LOWER(COLUMN_NAME) END), '') AS number,
            '' AS sequence,
            COALESCE(GROUP_CONCAT(CASE WHEN EXTRA LIKE '%GENERATED%' OR EXTRA LIKE '%on update%'
                THEN LOWER(COLUMN_NAME) END SEPARATOR ','), '') AS made
        FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?
        SQL;

    private const ALL_FACTS = <<<'SQL'
        SELECT EXISTS (SELECT 1 FROM information_schema.ROUTINES WHERE ROUTINE_TYPE IN ('FUNCTION', 'PACKAGE BODY')
                AND ROUTINE_SCHEMA NOT IN ('mysql', 'sys') AND (ROUTINE_DEFINITION IS NULL OR ROUTINE_DEFINITION RLIKE
                    '(?i)insert|update|delete|replace[[:space:]]+[^(]|call|load|truncate')) AS writing,
            0 AS deferring
        SQL;

    private const INTEGER = '/^(?:TINY|SMALL|MEDIUM|BIG)?INT(?:\(\d+\))?(?: UNSIGNED)?(?: ZEROFILL)?$/D';

    private const TEXT = '/^(?:VARCHAR\(\d+\)|(?:TINY|MEDIUM|LONG)?TEXT)$/D';

    /** Under these, printable ASCII characters are equal if they are the same letter. */
    private const COLLATION = '/^(?:(?:UTF8MB[34]|LATIN1|ASCII)_(?<nopad>NOPAD_)?(?<bin>BIN)'
        . '|UTF8MB[34]_(?:GENERAL|UNICODE|UNICODE_520)_(?<nopad2>NOPAD_)?CI'
        . '|UTF8MB[34]_UCA1400_(?<nopad3>NOPAD_)?AI_CI'
        . '|LATIN1_SWEDISH_(?<nopad4>NOPAD_)?CI|ASCII_GENERAL_(?<nopad5>NOPAD_)?CI)$/D';

    public function tableQuery(): string
    {
        return 'SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND '
            . self::ORDINARY;
    }

    public function schemaVersion(): string
    {
        return 'SELECT BIT_XOR(raise) AS version,'
            . ' (SELECT COALESCE(MAX(id), 0) FROM larder_set) AS last_set FROM larder_raise WHERE slot = '
            . Dialect::SCHEMA;
    }

    public function schemaNumber(): string
    {
        return '(SELECT BIT_XOR(raise) FROM larder_raise WHERE slot = ' . Dialect::SCHEMA . ')';
    }

    /**
     * InnoDB has no SET DEFAULT. Each table has an unknown trigger where keys may be there that are not seen: where one
     * refers to another database, whose keys may refer to this one again, and where the account has no right on the
     * whole database of its own, but by a role or on single tables.
     */
    public function sideEffects(): string
    {
        return \sprintf(<<<'SQL'
            SELECT 'key' AS kind, r.REFERENCED_TABLE_NAME AS name, r.TABLE_NAME AS other,
                LOWER(k.REFERENCED_COLUMN_NAME) AS referred,
                IF(k.width = 1, LOWER(k.COLUMN_NAME), NULL) AS referring,
                r.UPDATE_RULE AS on_update, r.DELETE_RULE AS on_delete, NULL AS `sql`,
                IF(k.width = 1, NULL, 1) AS alike
            FROM (SELECT CONSTRAINT_NAME, TABLE_NAME, REFERENCED_TABLE_NAME, UPDATE_RULE, DELETE_RULE
                    FROM information_schema.REFERENTIAL_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = DATABASE()
                    LIMIT 1000000) r
                JOIN (SELECT CONSTRAINT_NAME, TABLE_NAME, COLUMN_NAME, REFERENCED_COLUMN_NAME,
                    COUNT(*) OVER (PARTITION BY CONSTRAINT_NAME, TABLE_NAME) AS width
                    FROM information_schema.KEY_COLUMN_USAGE
                    WHERE TABLE_SCHEMA = DATABASE() AND REFERENCED_TABLE_NAME IS NOT NULL LIMIT 1000000) k
                ON k.CONSTRAINT_NAME = r.CONSTRAINT_NAME AND k.TABLE_NAME = r.TABLE_NAME
            UNION ALL SELECT 'trigger', EVENT_OBJECT_TABLE, LOWER(EVENT_MANIPULATION),
                NULL, NULL, NULL, NULL, ACTION_STATEMENT, NULL
            FROM information_schema.TRIGGERS WHERE EVENT_OBJECT_SCHEMA = DATABASE()
            UNION ALL SELECT 'trigger', TABLE_NAME, NULL, NULL, NULL, NULL, NULL, NULL, NULL
            FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND (EXISTS (
                SELECT 1 FROM information_schema.REFERENTIAL_CONSTRAINTS
                WHERE CONSTRAINT_SCHEMA = DATABASE() AND UNIQUE_CONSTRAINT_SCHEMA <> DATABASE()
                    AND (UPDATE_RULE IN ('CASCADE', 'SET NULL') OR DELETE_RULE IN ('CASCADE', 'SET NULL')))
                OR NOT EXISTS (SELECT 1 FROM (
                    SELECT GRANTEE, '%%' AS place FROM information_schema.USER_PRIVILEGES
                    WHERE PRIVILEGE_TYPE = 'DELETE'
                    UNION ALL SELECT GRANTEE, TABLE_SCHEMA FROM information_schema.SCHEMA_PRIVILEGES
                    WHERE PRIVILEGE_TYPE = 'DELETE') granted
                WHERE GRANTEE = CONCAT('''', LEFT(CURRENT_USER(), CHAR_LENGTH(CURRENT_USER())
                        - CHAR_LENGTH(SUBSTRING_INDEX(CURRENT_USER(), '@', -1)) - 1), '''@''',
                        SUBSTRING_INDEX(CURRENT_USER(), '@', -1), '''') AND DATABASE() LIKE place))
            UNION ALL SELECT IF(%s, 'table', 'other'), TABLE_NAME, NULL, NULL, NULL, NULL, NULL, NULL, NULL
            FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()
            UNION ALL SELECT 'ledger', TABLE_NAME, NULL, NULL, NULL, NULL, NULL, NULL, NULL
            FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'larder_ledger'
            SQL, self::ORDINARY);
    }

    /** A key on the first characters of a column is none on the column. */
    public function uniques(string $table): array
    {
        return [<<<'SQL'
            SELECT TABLE_NAME AS `table`, INDEX_NAME AS name, LOWER(COLUMN_NAME) AS `column`, '' AS collation,
                IF(SUB_PART IS NULL AND COLUMN_NAME IS NOT NULL, 0, 1) AS made
            FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND NON_UNIQUE = 0
            ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX
            SQL, []];
    }

    public function tables(): string
    {
        return \sprintf(<<<'SQL'
            SELECT TABLE_NAME AS name, NULL AS `sql`, 0 AS virtual, 1 AS utf8, 0 AS hidden,
                IF(%s AND TABLE_NAME NOT IN (SELECT TABLE_NAME FROM information_schema.COLUMNS
                    WHERE TABLE_SCHEMA = DATABASE() AND EXTRA LIKE '%%VIRTUAL GENERATED%%'
                    AND GENERATION_EXPRESSION REGEXP '(?i)(?<![a-z0-9_$`.])(?!(?:%s) *[(])[a-z_][a-z0-9_$]*+ *[(]'),
                    1, 0) AS ordinary,
                IF(TABLE_TYPE = 'BASE TABLE' AND ENGINE <> 'InnoDB', ENGINE, NULL) AS engine
            FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()
            SQL, self::ORDINARY, self::STABLE);
    }

    /** It has no text without the right to see it. A text in it that needs escapes is read by a setting. */
    public function views(): string
    {
        return <<<'SQL'
            SELECT TABLE_NAME AS name, VIEW_DEFINITION AS `sql`, DATABASE() AS home
            FROM information_schema.VIEWS WHERE TABLE_SCHEMA = DATABASE() AND LOCATE(CHAR(92), VIEW_DEFINITION) = 0
            SQL;
    }

    public function viewGrammar(string $home): MariaDbGrammar
    {
        return MariaDbGrammar::of('', $home);
    }

    public function columns(): string
    {
        return $this->columnsOf(' AND TABLE_NAME = ?');
    }

    public function allColumns(): string
    {
        return $this->columnsOf('');
    }

    public function tableText(): string
    {
        return '';
    }

    public function typeOf(string $declared, string $collation): ?ColumnType
    {
        if (preg_match(self::INTEGER, $declared) === 1) {
            return ColumnType::Integer;
        }
        if (preg_match('/^VARBINARY\(\d+\)$/D', $declared) === 1) {
            return ColumnType::Ascii;
        }
        $isChar = preg_match('/^CHAR\(\d+\)$/D', $declared) === 1;
        if (
            (!$isChar && preg_match(self::TEXT, $declared) !== 1)
            || preg_match(self::COLLATION, $collation, $matches) !== 1
        ) {
            return null;
        }
        $isPadded = !str_contains($collation, '_NOPAD_');
        $isBinary = ($matches['bin'] ?? '') !== '';

        return match (true) {
            // With PAD_CHAR_TO_FULL_LENGTH it comes with blanks that another session does not see.
            $isChar && !$isPadded => null,
            $isPadded => $isBinary ? ColumnType::AsciiPadded : ColumnType::AsciiPaddedNoCase,
            default => $isBinary ? ColumnType::Ascii : ColumnType::AsciiNoCase,
        };
    }

    public function fits(ColumnType $type, string $declared, string $collation): bool
    {
        $own = $this->typeOf($declared, $collation);

        return match ($own) {
            null => false,
            ColumnType::Ascii => $type->isAscii(),
            ColumnType::AsciiPadded => \in_array(
                $type,
                [ColumnType::AsciiPadded, ColumnType::AsciiPaddedNoCase],
                true,
            ),
            ColumnType::AsciiNoCase => \in_array(
                $type,
                [ColumnType::AsciiNoCase, ColumnType::AsciiPaddedNoCase],
                true,
            ),
            default => $type === $own,
        };
    }

    public function triggers(array $rows, array $tables, array $unclear): array
    {
        return (new TriggerBody($tables, $unclear, explode('|', self::STABLE . self::HARMLESS)))->triggers($rows);
    }

    public function unseen(): string
    {
        return 'it has no right on the whole database, or a key refers to another one, so each change counts as a'
            . ' change of every table: GRANT SELECT, INSERT, UPDATE, DELETE ON the database, and not on single tables';
    }

    public function facts(string $table): array
    {
        return [self::FACTS, [$table, $table, $table]];
    }

    public function allFacts(): string
    {
        return self::ALL_FACTS;
    }

    private function columnsOf(string $where): string
    {
        return \sprintf(<<<'SQL'
            SELECT TABLE_NAME AS `table`, LOWER(COLUMN_NAME) AS name,
                IF(COLUMN_NAME REGEXP '^[A-Za-z_][A-Za-z0-9_$]*$', UPPER(COLUMN_TYPE), '') AS type,
                COLUMN_NAME AS written, IF(IS_NULLABLE = 'NO', 1, 0) AS required,
                IF(COLUMN_KEY = 'PRI', 1, 0) AS `key`, NULL AS `unique`,
                UPPER(COALESCE(COLLATION_NAME, '')) AS collation
            FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE()%s
            ORDER BY TABLE_NAME, ORDINAL_POSITION
            SQL, $where);
    }
}
