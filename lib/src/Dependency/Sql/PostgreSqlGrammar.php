<?php

declare(strict_types=1);

namespace Larder\Dependency\Sql;

use Closure;

/**
 * The SQL of PostgreSQL.
 *
 * @see https://www.postgresql.org/docs/current/sql-syntax-lexical.html
 */
final class PostgreSqlGrammar implements Grammar
{
    /** Words that are never taken as a name here; the server lets those of the second part be names. */
    private const RESERVED = <<<'SQL'
        all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate
        collation column concurrently constraint create cross current_catalog current_date current_role
        current_schema current_time current_timestamp current_user default deferrable desc distinct do else end
        except false fetch for foreign freeze from full grant group having ilike in initially inner intersect
        into is isnull join lateral leading left like limit localtime localtimestamp natural not notnull null
        offset on only or order outer overlaps placing primary references returning right select session_user
        similar some symmetric system_user table tablesample then to trailing true union unique user using
        variadic verbose when where window with

        escape exists filter over recursive values within
        SQL;

    /** Functions of their arguments alone, in a session whose settings stay as they are. */
    private const PURE = <<<'SQL'
        abs acos any_value array_agg array_append array_cat array_dims array_length array_lower array_ndims
        array_position array_positions array_prepend array_remove array_replace array_to_json array_to_string
        array_upper ascii asin atan atan2 avg bit_and bit_count bit_length bit_or bool_and bool_or btrim
        cardinality cast cbrt ceil ceiling char_length character_length chr coalesce concat concat_ws
        convert_from convert_to corr cos cot count covar_pop covar_samp cume_dist date_bin date_part date_trunc
        decode degrees dense_rank div encode every exp extract factorial first_value floor format gcd
        generate_series generate_subscripts greatest grouping initcap isfinite json_agg json_array_elements
        json_array_elements_text json_array_length json_build_array json_build_object json_each json_each_text
        json_extract_path json_extract_path_text json_object json_object_agg json_object_keys json_typeof
        jsonb_agg jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array
        jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path jsonb_extract_path_text jsonb_object
        jsonb_object_agg jsonb_insert jsonb_object_keys jsonb_path_exists jsonb_path_match
        jsonb_path_query_array jsonb_path_query_first jsonb_pretty jsonb_set jsonb_strip_nulls jsonb_typeof
        justify_days justify_hours justify_interval lag last_value lcm lead least left length ln log log10 lower
        lpad ltrim make_date make_interval make_time make_timestamp max md5 min mod mode normalize nth_value
        ntile nullif num_nonnulls num_nulls octet_length overlay percent_rank percentile_cont percentile_disc pi
        position pow power quote_ident quote_literal quote_nullable radians rank regexp_count regexp_instr
        regexp_like regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table
        regexp_substr repeat replace reverse right round row_number row_to_json rpad rtrim scale sha224 sha256
        sha384 sha512 sign sin split_part sqrt starts_with stddev stddev_pop stddev_samp string_agg
        string_to_array string_to_table strpos substr substring sum tan to_char to_date to_hex to_json to_jsonb
        to_number to_timestamp translate trim trunc unnest upper var_pop var_samp variance width_bucket
        SQL;

    /** Functions that ask for the clock, for chance or for the connection's state, or change that state. */
    private const VOLATILE = <<<'SQL'
        age clock_timestamp col_description current_catalog current_database current_date current_query
        current_role current_schema current_schemas current_setting current_time current_timestamp current_user
        currval format_type gen_random_uuid has_column_privilege has_schema_privilege has_table_privilege
        inet_client_addr inet_server_addr lastval localtime localtimestamp nextval now obj_description
        pg_advisory_lock pg_advisory_lock_shared pg_advisory_unlock pg_advisory_unlock_all
        pg_advisory_unlock_shared pg_advisory_xact_lock pg_advisory_xact_lock_shared pg_backend_pid
        pg_column_size pg_current_xact_id pg_database_size pg_encoding_to_char pg_get_constraintdef pg_get_expr
        pg_get_indexdef pg_get_serial_sequence pg_get_userbyid pg_get_viewdef pg_is_in_recovery pg_notify
        pg_relation_size pg_sleep pg_table_is_visible pg_table_size pg_total_relation_size pg_try_advisory_lock
        pg_try_advisory_lock_shared pg_try_advisory_xact_lock pg_try_advisory_xact_lock_shared pg_typeof
        plainto_tsquery phraseto_tsquery random row_security_active session_user set_config setseed setval
        statement_timestamp system_user timeofday to_regclass to_tsquery to_tsvector transaction_timestamp
        ts_headline ts_rank ts_rank_cd txid_current user version websearch_to_tsquery
        SQL;

    /** Words that a parenthesis may follow, which then calls nothing; types among them. */
    private const NO_CALLS = <<<'SQL'
        all and array as between bit by case char character dec decimal distinct else except exists float for
        from group having ilike in intersect interval is join lateral like limit not null numeric offset on only
        or order over precision row select similar symmetric then time timestamp timestamptz to union using
        values varchar varying when where with
        SQL;

    private const TABLE_FUNCTIONS = [
        'generate_series' => 1, 'generate_subscripts' => 1, 'json_array_elements' => 1,
        'json_array_elements_text' => 1, 'json_each' => 1, 'json_each_text' => 1, 'json_object_keys' => 1,
        'jsonb_array_elements' => 1, 'jsonb_array_elements_text' => 1, 'jsonb_each' => 1, 'jsonb_each_text' => 1,
        'jsonb_object_keys' => 1, 'regexp_matches' => 1, 'regexp_split_to_table' => 1, 'string_to_table' => 1,
        'unnest' => 1,
    ];

    /** Any other operator is as tight as ||. */
    private const TIGHTNESS = [
        'or' => 1, 'and' => 2, 'is' => 4, 'isnull' => 4, 'notnull' => 4,
        '=' => 5, '<>' => 5, '!=' => 5, '<' => 5, '<=' => 5, '>' => 5, '>=' => 5,
        'in' => 6, 'like' => 6, 'ilike' => 6, 'similar' => 6, 'between' => 6, 'not' => 6,
        '+' => 8, '-' => 8, '*' => 9, '/' => 9, '%' => 9, '^' => 10, 'at' => 11, 'collate' => 12, '[' => 14,
        '::' => 15, '=>' => 0,
    ];

    private const OTHER = 7;

    private const VALUES = [
        'null' => 1, 'true' => 1, 'false' => 1, 'current_catalog' => 1, 'current_date' => 1, 'current_role' => 1,
        'current_schema' => 1, 'current_time' => 1, 'current_timestamp' => 1, 'current_user' => 1, 'localtime' => 1,
        'localtimestamp' => 1, 'session_user' => 1, 'system_user' => 1, 'user' => 1,
    ];

    /** That are made of a text by rules which no function of the application can change. */
    private const TYPES = [
        'bigint' => 1, 'bit' => 1, 'bool' => 1, 'boolean' => 1, 'bpchar' => 1, 'bytea' => 1, 'char' => 1,
        'character' => 1, 'cidr' => 1, 'date' => 1, 'dec' => 1, 'decimal' => 1, 'double' => 1, 'float' => 1,
        'float4' => 1, 'float8' => 1, 'inet' => 1, 'int' => 1, 'int2' => 1, 'int4' => 1, 'int8' => 1, 'integer' => 1,
        'interval' => 1, 'json' => 1, 'jsonb' => 1, 'numeric' => 1, 'real' => 1, 'smallint' => 1, 'text' => 1,
        'time' => 1, 'timestamp' => 1, 'timestamptz' => 1, 'timetz' => 1, 'uuid' => 1, 'varchar' => 1,
    ];

    /** Of a row as it is stored: VACUUM changes them. */
    private const SYSTEM = [
        'ctid' => 1, 'xmin' => 1, 'xmax' => 1, 'cmin' => 1, 'cmax' => 1, 'tableoid' => 1, 'tablesample' => 1,
    ];

    /** Reserved words only: others may be the name of a table or of an alias. */
    private const ENDS_FROM = [
        'where' => 1, 'group' => 1, 'having' => 1, 'order' => 1, 'limit' => 1, 'union' => 1, 'except' => 1,
        'intersect' => 1, 'select' => 1, 'window' => 1, 'for' => 1, 'into' => 1, 'offset' => 1, 'fetch' => 1,
    ];

    /** @var array<string, int> */
    private readonly array $reserved;

    /** @var array<string, int> */
    private readonly array $pure;

    /** @var array<string, int> */
    private readonly array $volatile;

    /** @var array<string, int> */
    private readonly array $noCalls;

    /** @var array<array-key, int>|null */
    private ?array $functions = null;

    /**
     * @param string|null  $schema    the connection's current_schema; null: not known
     * @param list<string>|Closure(): list<string> $asked names of the functions of other schemas than pg_catalog, in
     *     lower case: one with a name of PostgreSQL's own may be called instead of that
     * @param bool         $isPlain   whether a backslash in '…' is one: standard_conforming_strings is on
     * @param bool         $isUtf8    whether the client_encoding is UTF8; else nothing beyond ASCII is understood
     */
    public function __construct(
        private readonly ?string $schema = null,
        private readonly array|Closure $asked = [],
        private readonly bool $isPlain = true,
        private readonly bool $isUtf8 = true,
    ) {
        [$this->reserved, $this->pure, $this->volatile, $this->noCalls] = array_map(
            static fn(string $words): array => array_fill_keys((array) preg_split('/\s+/', $words), 1),
            [self::RESERVED, self::PURE, self::VOLATILE, self::NO_CALLS],
        );
    }

    /** An identifier of more than 63 bytes is cut by the server, and U&"…" has escapes: they fit no token. */
    public function token(): string
    {
        $plain = $this->isPlain ? "[^']" : "[^'\\\\]";

        $ascii = $this->isUtf8 ? '' : '(?!\A[\x00-\x7f]*+[\x80-\xff])';

        return <<<PCRE
            ~\\G$ascii(?:(?:\\s++|--[^\\n\\r]*+
                |(?<comment>/\\*(?:[^*/]++|\\*(?!/)|/(?!\\*)|(?&comment))*+\\*/))(*MARK:skip)
            |(?:[nNbBxX]?'(?:$plain|'')*+'
                |[eE]'(?:[^'\\\\]|''|\\\\.)*+'(?!(?:\\s|--[^\\n\\r]*+)*+')
                |\\$(?<tag>(?:[A-Za-z_\\x80-\\xff][A-Za-z0-9_\\x80-\\xff]*+)?)\\$.*?\\$\\k<tag>\\$)(*MARK:string)
            |"(?:[^"\\0]|""){1,63}+"(*MARK:quoted)
            |(?![uU]&['"]|[eE]')[A-Za-z_\\x80-\\xff][A-Za-z0-9_$\\x80-\\xff]{0,62}+
                (?![A-Za-z0-9_$\\x80-\\xff])(*MARK:word)
            |(?:[0-9]++(?:\\.[0-9]*+)?|(?<![A-Za-z0-9_$"\\x80-\\xff])\\.[0-9]++)(?:[eE][+-]?[0-9]++)?
                (?![A-Za-z0-9_$.\\x80-\\xff])(*MARK:number)
            |(?:\\?(?!\\?)|:[A-Za-z0-9_]++|\\$[0-9]++(?![A-Za-z0-9_\\x80-\\xff]))(*MARK:parameter)
            |(?:::|:=|:|\\?\\?[|&]?
                |(?=(?:(?!--|/\\*)[-+*/<>=])*+[!@\\#%^&|`\\~])(?:(?!--|/\\*)[-+*/<>=!@\\#%^&|`\\~])++
                |(?:(?!--|/\\*)[-+*/<>=])*(?!/\\*)[*/<>=]|[-+]|[(),;.\\[\\]])(*MARK:sign))~xs
            PCRE;
    }

    /** Words are in lower case for the server too, and a name in quotes is as it stands there. */
    public function unquote(string $identifier): string
    {
        return str_replace('""', '"', substr($identifier, 1, -1));
    }

    public function text(string $string): ?string
    {
        return $string[0] === "'" && !str_contains($string, '\\')
            ? str_replace("''", "'", substr($string, 1, -1))
            : null;
    }

    private function has(string $function): bool
    {
        $this->functions ??= array_fill_keys(\is_array($this->asked) ? $this->asked : ($this->asked)(), 1);

        return isset($this->functions[$function]);
    }

    public function isVolatile(string $word, ?array $arguments, bool $isPlain = true): bool
    {
        // A name behind a dot may call a function too.
        if (isset(self::SYSTEM[$word]) || $this->has($word)) {
            return true;
        }
        if (str_starts_with($word, '::')) {
            return !isset(self::TYPES[substr($word, 2)]);
        }
        if ($word === 'cast') {
            $as = array_search(['word', 'as'], array_reverse($tokens = $arguments[0] ?? [], true), true);

            return $as === false || !isset(self::TYPES[$tokens[$as + 1][1] ?? '']);
        }
        if ($arguments === null) {
            return $this->isValue($word) && !\in_array($word, ['null', 'true', 'false'], true);
        }

        return !isset($this->pure[$word]) && !isset($this->noCalls[$word]);
    }

    public function mayWrite(string $function, bool $isPlain): bool
    {
        return $this->has($function) || (!isset($this->noCalls[$function])
            && !isset($this->pure[$function]) && !isset($this->volatile[$function]));
    }

    public function isTableFunction(string $name): bool
    {
        return isset(self::TABLE_FUNCTIONS[$name]) && !$this->has($name);
    }

    public function tightness(string $operator): int
    {
        if (isset(self::TIGHTNESS[$operator])) {
            return self::TIGHTNESS[$operator];
        }
        $isSign = $operator !== '' && strspn($operator, '-+*/<>=!@#%^&|`~?') === \strlen($operator);

        return $isSign ? self::OTHER : 0;
    }

    public function isReserved(string $word): bool
    {
        return isset($this->reserved[$word]);
    }

    public function isValue(string $word): bool
    {
        return isset(self::VALUES[$word]);
    }

    public function isOwnSchema(string $name): bool
    {
        return $this->schema === $name;
    }

    public function writes(array $tokens, int $at): bool
    {
        $next = $tokens[$at + 1][1] ?? '';

        return match ($tokens[$at][1]) {
            'insert', 'update', 'delete', 'merge', 'into', 'table' => true,
            'for' => \in_array($next, ['update', 'no', 'share', 'key'], true),
            default => false,
        };
    }

    public function endsFrom(string $word): bool
    {
        return isset(self::ENDS_FROM[$word]);
    }

    public function isSqlite(): bool
    {
        return false;
    }

    public function tellsCases(): bool
    {
        return false;
    }

    public function isClock(string $string): bool
    {
        // The server reads no longer text as a time.
        return \strlen($string) < 150
            && preg_match('/(?<![a-z])(?:now|today|tomorrow|yesterday)(?![a-z])/', $string) === 1;
    }

    public function isPure(string $function): bool
    {
        return isset($this->pure[$function]) && !$this->has($function);
    }

    public function isHarmless(string $function): bool
    {
        return (isset($this->pure[$function]) || isset($this->volatile[$function]))
            && !$this->has($function);
    }
}
