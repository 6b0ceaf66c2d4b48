<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

use Closure;

/**
 * @internal What a server says of a table that decides whether its changes can be followed row by row. It is asked on
 * the second connection, once for each table and plan.
 *
 * @phpstan-type Facts array{readable: bool, watched: bool, triggered: bool, number: string, sequence: string,
 *     made: list<string>}
 */
final class TableFacts
{
    /**
     * May the account read the table and lock its rows? Does a trigger see a row before it is written, or a whole
     * statement, or is there a rule? Is there any trigger? Which column is numbered, and by which sequence?
     */
    private const MARIADB = <<<'SQL'
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

    private const POSTGRESQL = <<<'SQL'
        SELECT CASE WHEN has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'UPDATE')
                AND NOT c.relrowsecurity THEN 1 ELSE 0 END AS readable,
            CASE WHEN c.relhasrules OR EXISTS (SELECT 1 FROM pg_trigger g WHERE g.tgrelid = c.oid AND NOT g.tgisinternal
                AND ((g.tgtype & 2) <> 0 OR (g.tgtype & 1) = 0)) THEN 1 ELSE 0 END AS watched,
            CASE WHEN EXISTS (SELECT 1 FROM pg_trigger g WHERE g.tgrelid = c.oid AND NOT g.tgisinternal)
                THEN 1 ELSE 0 END AS triggered,
            COALESCE(a.attname, '') AS number,
            COALESCE(pg_get_serial_sequence(quote_ident(n.nspname) || '.' || quote_ident(c.relname), a.attname), '')
                AS sequence,
            '' AS made
        FROM pg_class c
        JOIN pg_namespace n ON n.oid = c.relnamespace
        LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary AND i.indnatts = 1
        LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
            AND (a.attidentity <> '' OR EXISTS (SELECT 1 FROM pg_attrdef d WHERE d.adrelid = c.oid
                AND d.adnum = a.attnum AND pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval(%'
                AND EXISTS (SELECT 1 FROM pg_depend e WHERE e.classid = 'pg_attrdef'::regclass AND e.objid = d.oid
                    AND e.refobjid = pg_get_serial_sequence(
                        quote_ident(n.nspname) || '.' || quote_ident(c.relname), a.attname)::regclass)))
        WHERE c.oid = to_regclass(quote_ident(?))
        SQL;

    /** Whether a function of the database may write, and whether a constraint is looked at no sooner than at COMMIT. */
    private const MARIADB_ALL = <<<'SQL'
        SELECT EXISTS (SELECT 1 FROM information_schema.ROUTINES WHERE ROUTINE_TYPE IN ('FUNCTION', 'PACKAGE BODY')
                AND ROUTINE_SCHEMA NOT IN ('mysql', 'sys') AND (ROUTINE_DEFINITION IS NULL OR ROUTINE_DEFINITION RLIKE
                    '(?i)insert|update|delete|replace[[:space:]]+[^(]|call|load|truncate')) AS writing,
            0 AS deferring
        SQL;

    private const POSTGRESQL_ALL = <<<'SQL'
        SELECT CASE WHEN EXISTS (SELECT 1 FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
                WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND p.provolatile = 'v'
                AND p.prorettype <> 'trigger'::regtype) THEN 1 ELSE 0 END AS writing,
            CASE WHEN EXISTS (SELECT 1 FROM pg_constraint WHERE condeferrable)
                OR EXISTS (SELECT 1 FROM pg_trigger WHERE tgdeferrable) THEN 1 ELSE 0 END AS deferring
        SQL;

    /** @var array<string, Facts> by table */
    private array $known = [];

    /** @var array{writing: bool, deferring: bool}|null */
    private ?array $all = null;

    /** @param Closure(string, array<int, scalar|null>=): list<array<string, scalar|null>> $rows of a query */
    public function __construct(
        private readonly Dialect $dialect,
        private readonly Closure $rows,
    ) {}

    public function forget(): void
    {
        $this->known = [];
        $this->all = null;
    }

    /** Whether its rows can be read before a statement and after it, and are those that the statement writes. */
    public function areSeen(string $table): bool
    {
        $facts = $this->of($table);

        return $facts['readable'] && !$facts['watched'];
    }

    public function isTriggered(string $table): bool
    {
        return $this->of($table)['triggered'];
    }

    /** The column that the database numbers, in lower case; '': none. */
    public function number(string $table): string
    {
        return $this->of($table)['number'];
    }

    /** The sequence that it is numbered by; '': none. */
    public function sequence(string $table): string
    {
        return $this->of($table)['sequence'];
    }

    /** @return list<string> columns that an UPDATE changes although it does not assign them, in lower case */
    public function made(string $table): array
    {
        return $this->of($table)['made'];
    }

    /** Whether a function that a statement calls may write. */
    public function areFunctionsWriting(): bool
    {
        return $this->all()['writing'];
    }

    /** Whether COMMIT may run triggers, or fail by a constraint. */
    public function areDeferred(): bool
    {
        return $this->all()['deferring'];
    }

    /** @return array{writing: bool, deferring: bool} */
    private function all(): array
    {
        $row = $this->all === null ? ($this->rows)($this->isMariaDb() ? self::MARIADB_ALL : self::POSTGRESQL_ALL) : [];

        return $this->all ??= [
            'writing' => (int) ($row[0]['writing'] ?? 1) !== 0,
            'deferring' => (int) ($row[0]['deferring'] ?? 1) !== 0,
        ];
    }

    /** @return Facts */
    private function of(string $table): array
    {
        if (!isset($this->known[$table])) {
            $row = ($this->isMariaDb()
                ? ($this->rows)(self::MARIADB, [$table, $table, $table])
                : ($this->rows)(self::POSTGRESQL, [$table]))[0] ?? [];
            $this->known[$table] = [
                'readable' => (int) ($row['readable'] ?? 0) !== 0,
                'watched' => (int) ($row['watched'] ?? 1) !== 0,
                'triggered' => (int) ($row['triggered'] ?? 1) !== 0,
                'number' => (string) ($row['number'] ?? ''),
                'sequence' => (string) ($row['sequence'] ?? ''),
                'made' => explode(',', (string) ($row['made'] ?? '')),
            ];
        }

        return $this->known[$table];
    }

    private function isMariaDb(): bool
    {
        return $this->dialect->driver() === 'mysql';
    }
}
