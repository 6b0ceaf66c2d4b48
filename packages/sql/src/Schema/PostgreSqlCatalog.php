<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

use Larder\Sql\Reading\PostgreSqlGrammar;

/**
 * The schema of a PostgreSQL database, by pg_catalog: what lies in the first schema of the search path and is not
 * hidden by one before it. A name with capital letters is never ordinary, since it needs quotes.
 *
 * @internal
 */
final readonly class PostgreSqlCatalog implements LockingCatalog
{
    /** A table `c` whose rows lie in it alone, are kept, and are seen by everybody. */
    private const ORDINARY = <<<'SQL'
        c.relkind = 'r' AND c.relpersistence = 'p' AND NOT c.relispartition AND NOT c.relrowsecurity
        AND NOT c.relhasrules AND c.relname !~ '[A-Z]' AND pg_table_is_visible(c.oid)
        AND NOT EXISTS (SELECT 1 FROM pg_inherits i WHERE c.oid IN (i.inhrelid, i.inhparent))
        AND NOT EXISTS (SELECT 1 FROM pg_attribute v WHERE v.attrelid = c.oid AND v.attgenerated = 'v')
        SQL;

    private const OF_SCHEMA = 'c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())';

    /** What is not of the database itself. */
    private const OWN_SCHEMAS = "('pg_catalog', 'information_schema', 'pg_toast')";

    private const FACTS = <<<'SQL'
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
            AND has_sequence_privilege(pg_get_serial_sequence(
                quote_ident(n.nspname) || '.' || quote_ident(c.relname), a.attname), 'USAGE, SELECT')
        WHERE c.oid = to_regclass(quote_ident(?))
        SQL;

    private const ALL_FACTS = <<<'SQL'
        SELECT CASE WHEN EXISTS (SELECT 1 FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
                WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND p.provolatile = 'v'
                AND p.prorettype <> 'trigger'::regtype) THEN 1 ELSE 0 END AS writing,
            CASE WHEN EXISTS (SELECT 1 FROM pg_constraint WHERE condeferrable)
                OR EXISTS (SELECT 1 FROM pg_trigger WHERE tgdeferrable) THEN 1 ELSE 0 END AS deferring
        SQL;

    public function tableQuery(): string
    {
        return \sprintf('SELECT 1 FROM pg_class c WHERE %s AND %s AND c.relname = ?', self::OF_SCHEMA, self::ORDINARY);
    }

    public function schemaVersion(): string
    {
        return 'SELECT COALESCE(BIT_XOR(raise), 0) AS version,'
            . ' (SELECT COALESCE(MAX(id), 0) FROM larder_set) AS last_set FROM larder_raise WHERE slot = '
            . Dialect::SCHEMA;
    }

    public function schemaNumber(): string
    {
        return '(SELECT COALESCE(BIT_XOR(raise), 0) FROM larder_raise WHERE slot = ' . Dialect::SCHEMA . ')';
    }

    /**
     * A default and a check, of a column or of its domain, can call a function that writes: then such a table has an
     * unknown trigger. A trigger has no text in another language than PL/pgSQL, nor where its function has settings of
     * its own, as a search path. A table of another schema that refers to one of this has a name that no table has.
     */
    public function sideEffects(): string
    {
        return \sprintf(<<<'SQL'
            SELECT 'key' AS kind, c.relname::text AS name, concat(CASE WHEN r.relnamespace <> c.relnamespace
                    THEN r.relnamespace::text || '.' END, r.relname) AS other, pa.attname::text AS referred,
                CASE WHEN cardinality(k.conkey) = 1 THEN ra.attname::text END AS referring,
                CASE k.confupdtype WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' WHEN 'd' THEN 'SET DEFAULT'
                    WHEN 'r' THEN 'RESTRICT' ELSE 'NO ACTION' END AS on_update,
                CASE k.confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' WHEN 'd' THEN 'SET DEFAULT'
                    WHEN 'r' THEN 'RESTRICT' ELSE 'NO ACTION' END AS on_delete,
                NULL::text AS sql,
                CASE WHEN pa.atttypid = ra.atttypid AND pa.attcollation = ra.attcollation THEN 1 ELSE 0 END AS alike
            FROM pg_constraint k
                JOIN pg_class c ON c.oid = k.confrelid AND %1$s JOIN pg_class r ON r.oid = k.conrelid
                CROSS JOIN LATERAL unnest(k.confkey, k.conkey) AS u (referred, referring)
                JOIN pg_attribute pa ON pa.attrelid = c.oid AND pa.attnum = u.referred
                JOIN pg_attribute ra ON ra.attrelid = r.oid AND ra.attnum = u.referring
            WHERE k.contype = 'f'
            UNION ALL SELECT 'trigger', c.relname, NULL, NULL, NULL, NULL, NULL,
                CASE WHEN l.lanname = 'plpgsql' AND f.proconfig IS NULL THEN f.prosrc END, NULL
            FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc f ON f.oid = t.tgfoid
                JOIN pg_language l ON l.oid = f.prolang
            WHERE %1$s AND NOT t.tgisinternal AND t.tgenabled <> 'D'
            UNION ALL SELECT 'trigger', c.relname, NULL, NULL, NULL, NULL, NULL, NULL, NULL
            FROM pg_depend d JOIN pg_proc f ON d.refclassid = 'pg_proc'::regclass AND f.oid = d.refobjid
                JOIN pg_language l ON l.oid = f.prolang AND l.lanname NOT IN ('c', 'internal')
                LEFT JOIN pg_attrdef a ON d.classid = 'pg_attrdef'::regclass AND a.oid = d.objid
                LEFT JOIN pg_constraint k ON d.classid = 'pg_constraint'::regclass AND k.oid = d.objid
                LEFT JOIN pg_type y ON y.typtype = 'd'
                    AND y.oid IN (k.contypid, CASE WHEN d.classid = 'pg_type'::regclass THEN d.objid END)
                LEFT JOIN pg_attribute o ON o.atttypid = y.oid
                JOIN pg_class c ON c.oid IN (a.adrelid, k.conrelid, o.attrelid) AND %1$s
            UNION ALL SELECT CASE WHEN %1$s AND %2$s THEN 'table' ELSE 'other' END, c.relname, NULL, NULL, NULL, NULL,
                NULL, NULL, NULL
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p') AND n.nspname NOT IN %3$s
            UNION ALL SELECT DISTINCT 'routine', f.proname::text, NULL, NULL, NULL, NULL, NULL, NULL, NULL::int
            FROM pg_proc f JOIN pg_namespace n ON n.oid = f.pronamespace JOIN pg_language l ON l.oid = f.prolang
            WHERE n.nspname NOT IN %3$s AND l.lanname NOT IN ('c', 'internal')
            UNION ALL SELECT 'ledger', c.relname, NULL, NULL, NULL, NULL, NULL, NULL, NULL
            FROM pg_class c WHERE %1$s AND c.relname = 'larder_ledger' AND c.relkind = 'r'
            SQL, self::OF_SCHEMA, self::ORDINARY, self::OWN_SCHEMAS);
    }

    public function uniques(string $table): array
    {
        return [\sprintf(<<<'SQL'
            SELECT c.relname::text AS "table", x.relname::text AS name, a.attname::text AS "column", '' AS collation,
                CASE WHEN a.attname IS NULL OR i.indpred IS NOT NULL OR NOT i.indisvalid OR NOT i.indimmediate
                        OR i.indcollation[k.place - 1] NOT IN (0, a.attcollation)
                    THEN 1 ELSE 0 END AS made
            FROM pg_class c JOIN pg_index i ON i.indrelid = c.oid JOIN pg_class x ON x.oid = i.indexrelid
                CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k (number, place)
                LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number AND k.number > 0
            WHERE %s AND i.indisunique AND k.place <= i.indnkeyatts
            ORDER BY 1, 2, k.place
            SQL, self::OF_SCHEMA), []];
    }

    /**
     * Texts are compared as the application's connection sends them. It begins with the encoding that the second one
     * began with.
     */
    public function tables(): string
    {
        return \sprintf(<<<'SQL'
            SELECT c.relname::text AS name, NULL::text AS sql, 0 AS virtual, 0 AS hidden,
                CASE WHEN (SELECT reset_val = 'UTF8' FROM pg_settings WHERE name = 'client_encoding')
                    THEN 1 ELSE 0 END AS utf8,
                CASE WHEN %2$s THEN 1 ELSE 0 END AS ordinary, NULL::text AS engine
            FROM pg_class c WHERE %1$s AND c.relkind IN ('r', 'v', 'm', 'f', 'p')
            SQL, self::OF_SCHEMA, self::ORDINARY);
    }

    /** Those with rules of their own are left out, and those that use a function, an operator or a type so made. */
    public function views(): string
    {
        return \sprintf(<<<'SQL'
            SELECT c.relname::text AS name, pg_get_viewdef(c.oid) AS sql, current_schema()::text AS home
            FROM pg_class c
            WHERE %s AND c.relkind = 'v' AND c.relpersistence = 'p' AND c.relname !~ '[A-Z]'
                AND pg_table_is_visible(c.oid) AND NOT EXISTS (
                    SELECT 1 FROM pg_rewrite r LEFT JOIN pg_depend d
                        ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
                        AND d.refclassid <> 'pg_class'::regclass
                    WHERE r.ev_class = c.oid AND (r.rulename <> '_RETURN' OR d.objid IS NOT NULL))
            SQL, self::OF_SCHEMA);
    }

    public function viewGrammar(string $home): PostgreSqlGrammar
    {
        return new PostgreSqlGrammar($home);
    }

    public function columns(): string
    {
        return $this->columnsOf(' AND c.relname = ?');
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
        return match (true) {
            \in_array($declared, ['SMALLINT', 'INTEGER', 'BIGINT'], true) => ColumnType::Integer,
            $collation !== '' => null,
            $declared === 'TEXT', preg_match('/^CHARACTER VARYING(?:\(\d+\))?$/D', $declared) === 1 => ColumnType::Text,
            default => null,
        };
    }

    public function fits(ColumnType $type, string $declared, string $collation): bool
    {
        return match ($this->typeOf($declared, $collation)) {
            null => false,
            ColumnType::Integer => $type === ColumnType::Integer,
            default => $type !== ColumnType::Integer,
        };
    }

    /** What a trigger's function may call is known by the routines that are there. */
    public function triggers(array $rows, array $tables, array $unclear): array
    {
        return (new TriggerBody($tables, $unclear, null))->triggers($rows);
    }

    public function unseen(): string
    {
        return '';
    }

    public function facts(string $table): array
    {
        return [self::FACTS, [$table]];
    }

    public function allFacts(): string
    {
        return self::ALL_FACTS;
    }

    /** A collation is named only if it finds different texts equal. */
    private function columnsOf(string $where): string
    {
        return \sprintf(<<<'SQL'
            SELECT c.relname::text AS "table", a.attname::text AS name,
                CASE WHEN a.attname ~ '^[a-z_][a-z0-9_$]*$' THEN upper(format_type(a.atttypid, a.atttypmod)) ELSE '' END
                    AS type,
                a.attname::text AS written, CASE WHEN a.attnotnull THEN 1 ELSE 0 END AS required,
                CASE WHEN i.indexrelid IS NULL THEN 0 ELSE 1 END AS key, NULL::text AS "unique",
                CASE WHEN l.collisdeterministic THEN '' ELSE COALESCE(upper(l.collname), '') END AS collation
            FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
                LEFT JOIN pg_collation l ON l.oid = a.attcollation
                LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary AND i.indimmediate
                    AND EXISTS (SELECT 1 FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS u (number, place)
                        WHERE u.number = a.attnum AND u.place <= i.indnkeyatts)
            WHERE %s AND c.relkind IN ('r', 'v', 'm', 'f', 'p') AND a.attnum > 0 AND NOT a.attisdropped%s
            ORDER BY c.relname, a.attnum
            SQL, self::OF_SCHEMA, $where);
    }
}
