<?php

declare(strict_types=1);

namespace Larder\Sql\Reading;

use Closure;

/**
 * The SQL of PostgreSQL.
 *
 * @internal
 *
 * @see https://www.postgresql.org/docs/current/sql-syntax-lexical.html
 */
final class PostgreSqlGrammar implements Grammar
{
    /** Words that are never taken as a name here; the server lets those of the second part be names. */
    private const RESERVED = [
        'all' => 1, 'analyse' => 1, 'analyze' => 1, 'and' => 1, 'any' => 1, 'array' => 1, 'as' => 1, 'asc' => 1,
        'asymmetric' => 1, 'authorization' => 1, 'binary' => 1, 'both' => 1, 'case' => 1, 'cast' => 1, 'check' => 1,
        'collate' => 1, 'collation' => 1, 'column' => 1, 'concurrently' => 1, 'constraint' => 1, 'create' => 1,
        'cross' => 1, 'current_catalog' => 1, 'current_date' => 1, 'current_role' => 1, 'current_schema' => 1,
        'current_time' => 1, 'current_timestamp' => 1, 'current_user' => 1, 'default' => 1, 'deferrable' => 1,
        'desc' => 1, 'distinct' => 1, 'do' => 1, 'else' => 1, 'end' => 1, 'except' => 1, 'false' => 1, 'fetch' => 1,
        'for' => 1, 'foreign' => 1, 'freeze' => 1, 'from' => 1, 'full' => 1, 'grant' => 1, 'group' => 1, 'having' => 1,
        'ilike' => 1, 'in' => 1, 'initially' => 1, 'inner' => 1, 'intersect' => 1, 'into' => 1, 'is' => 1,
        'isnull' => 1, 'join' => 1, 'lateral' => 1, 'leading' => 1, 'left' => 1, 'like' => 1, 'limit' => 1,
        'localtime' => 1, 'localtimestamp' => 1, 'natural' => 1, 'not' => 1, 'notnull' => 1, 'null' => 1, 'offset' => 1,
        'on' => 1, 'only' => 1, 'or' => 1, 'order' => 1, 'outer' => 1, 'overlaps' => 1, 'placing' => 1, 'primary' => 1,
        'references' => 1, 'returning' => 1, 'right' => 1, 'select' => 1, 'session_user' => 1, 'similar' => 1,
        'some' => 1, 'symmetric' => 1, 'system_user' => 1, 'table' => 1, 'tablesample' => 1, 'then' => 1, 'to' => 1,
        'trailing' => 1, 'true' => 1, 'union' => 1, 'unique' => 1, 'user' => 1, 'using' => 1, 'variadic' => 1,
        'verbose' => 1, 'when' => 1, 'where' => 1, 'window' => 1, 'with' => 1, 'escape' => 1, 'exists' => 1,
        'filter' => 1, 'over' => 1, 'recursive' => 1, 'values' => 1, 'within' => 1,
    ];

    /** Functions of their arguments alone, in a session whose settings stay as they are. */
    private const PURE = [
        'abs' => 1, 'acos' => 1, 'any_value' => 1, 'array_agg' => 1, 'array_append' => 1, 'array_cat' => 1,
        'array_dims' => 1, 'array_length' => 1, 'array_lower' => 1, 'array_ndims' => 1, 'array_position' => 1,
        'array_positions' => 1, 'array_prepend' => 1, 'array_remove' => 1, 'array_replace' => 1, 'array_to_json' => 1,
        'array_to_string' => 1, 'array_upper' => 1, 'ascii' => 1, 'asin' => 1, 'atan' => 1, 'atan2' => 1, 'avg' => 1,
        'bit_and' => 1, 'bit_count' => 1, 'bit_length' => 1, 'bit_or' => 1, 'bool_and' => 1, 'bool_or' => 1,
        'btrim' => 1, 'cardinality' => 1, 'cast' => 1, 'cbrt' => 1, 'ceil' => 1, 'ceiling' => 1, 'char_length' => 1,
        'character_length' => 1, 'chr' => 1, 'coalesce' => 1, 'concat' => 1, 'concat_ws' => 1, 'convert_from' => 1,
        'convert_to' => 1, 'corr' => 1, 'cos' => 1, 'cot' => 1, 'count' => 1, 'covar_pop' => 1, 'covar_samp' => 1,
        'cume_dist' => 1, 'date_bin' => 1, 'date_part' => 1, 'date_trunc' => 1, 'decode' => 1, 'degrees' => 1,
        'dense_rank' => 1, 'div' => 1, 'encode' => 1, 'every' => 1, 'exp' => 1, 'extract' => 1, 'factorial' => 1,
        'first_value' => 1, 'floor' => 1, 'format' => 1, 'gcd' => 1, 'generate_series' => 1, 'generate_subscripts' => 1,
        'greatest' => 1, 'grouping' => 1, 'initcap' => 1, 'isfinite' => 1, 'json_agg' => 1, 'json_array_elements' => 1,
        'json_array_elements_text' => 1, 'json_array_length' => 1, 'json_build_array' => 1, 'json_build_object' => 1,
        'json_each' => 1, 'json_each_text' => 1, 'json_extract_path' => 1, 'json_extract_path_text' => 1,
        'json_object' => 1, 'json_object_agg' => 1, 'json_object_keys' => 1, 'json_typeof' => 1, 'jsonb_agg' => 1,
        'jsonb_array_elements' => 1, 'jsonb_array_elements_text' => 1, 'jsonb_array_length' => 1,
        'jsonb_build_array' => 1, 'jsonb_build_object' => 1, 'jsonb_each' => 1, 'jsonb_each_text' => 1,
        'jsonb_extract_path' => 1, 'jsonb_extract_path_text' => 1, 'jsonb_object' => 1, 'jsonb_object_agg' => 1,
        'jsonb_insert' => 1, 'jsonb_object_keys' => 1, 'jsonb_path_exists' => 1, 'jsonb_path_match' => 1,
        'jsonb_path_query_array' => 1, 'jsonb_path_query_first' => 1, 'jsonb_pretty' => 1, 'jsonb_set' => 1,
        'jsonb_strip_nulls' => 1, 'jsonb_typeof' => 1, 'justify_days' => 1, 'justify_hours' => 1,
        'justify_interval' => 1, 'lag' => 1, 'last_value' => 1, 'lcm' => 1, 'lead' => 1, 'least' => 1, 'left' => 1,
        'length' => 1, 'ln' => 1, 'log' => 1, 'log10' => 1, 'lower' => 1, 'lpad' => 1, 'ltrim' => 1, 'make_date' => 1,
        'make_interval' => 1, 'make_time' => 1, 'make_timestamp' => 1, 'max' => 1, 'md5' => 1, 'min' => 1, 'mod' => 1,
        'mode' => 1, 'normalize' => 1, 'nth_value' => 1, 'ntile' => 1, 'nullif' => 1, 'num_nonnulls' => 1,
        'num_nulls' => 1, 'octet_length' => 1, 'overlay' => 1, 'percent_rank' => 1, 'percentile_cont' => 1,
        'percentile_disc' => 1, 'pi' => 1, 'position' => 1, 'pow' => 1, 'power' => 1, 'quote_ident' => 1,
        'quote_literal' => 1, 'quote_nullable' => 1, 'radians' => 1, 'rank' => 1, 'regexp_count' => 1,
        'regexp_instr' => 1, 'regexp_like' => 1, 'regexp_match' => 1, 'regexp_matches' => 1, 'regexp_replace' => 1,
        'regexp_split_to_array' => 1, 'regexp_split_to_table' => 1, 'regexp_substr' => 1, 'repeat' => 1, 'replace' => 1,
        'reverse' => 1, 'right' => 1, 'round' => 1, 'row_number' => 1, 'row_to_json' => 1, 'rpad' => 1, 'rtrim' => 1,
        'scale' => 1, 'sha224' => 1, 'sha256' => 1, 'sha384' => 1, 'sha512' => 1, 'sign' => 1, 'sin' => 1,
        'split_part' => 1, 'sqrt' => 1, 'starts_with' => 1, 'stddev' => 1, 'stddev_pop' => 1, 'stddev_samp' => 1,
        'string_agg' => 1, 'string_to_array' => 1, 'string_to_table' => 1, 'strpos' => 1, 'substr' => 1,
        'substring' => 1, 'sum' => 1, 'tan' => 1, 'to_char' => 1, 'to_date' => 1, 'to_hex' => 1, 'to_json' => 1,
        'to_jsonb' => 1, 'to_number' => 1, 'to_timestamp' => 1, 'translate' => 1, 'trim' => 1, 'trunc' => 1,
        'unnest' => 1, 'upper' => 1, 'var_pop' => 1, 'var_samp' => 1, 'variance' => 1, 'width_bucket' => 1,
    ];

    /** Functions that ask for the clock, for chance or for the connection's state, or change that state. */
    private const VOLATILE = [
        'age' => 1, 'clock_timestamp' => 1, 'col_description' => 1, 'current_catalog' => 1, 'current_database' => 1,
        'current_date' => 1, 'current_query' => 1, 'current_role' => 1, 'current_schema' => 1, 'current_schemas' => 1,
        'current_setting' => 1, 'current_time' => 1, 'current_timestamp' => 1, 'current_user' => 1, 'currval' => 1,
        'format_type' => 1, 'gen_random_uuid' => 1, 'has_column_privilege' => 1, 'has_schema_privilege' => 1,
        'has_table_privilege' => 1, 'inet_client_addr' => 1, 'inet_server_addr' => 1, 'lastval' => 1, 'localtime' => 1,
        'localtimestamp' => 1, 'nextval' => 1, 'now' => 1, 'obj_description' => 1, 'pg_advisory_lock' => 1,
        'pg_advisory_lock_shared' => 1, 'pg_advisory_unlock' => 1, 'pg_advisory_unlock_all' => 1,
        'pg_advisory_unlock_shared' => 1, 'pg_advisory_xact_lock' => 1, 'pg_advisory_xact_lock_shared' => 1,
        'pg_backend_pid' => 1, 'pg_column_size' => 1, 'pg_current_xact_id' => 1, 'pg_database_size' => 1,
        'pg_encoding_to_char' => 1, 'pg_get_constraintdef' => 1, 'pg_get_expr' => 1, 'pg_get_indexdef' => 1,
        'pg_get_serial_sequence' => 1, 'pg_get_userbyid' => 1, 'pg_get_viewdef' => 1, 'pg_is_in_recovery' => 1,
        'pg_notify' => 1, 'pg_relation_size' => 1, 'pg_sleep' => 1, 'pg_table_is_visible' => 1, 'pg_table_size' => 1,
        'pg_total_relation_size' => 1, 'pg_try_advisory_lock' => 1, 'pg_try_advisory_lock_shared' => 1,
        'pg_try_advisory_xact_lock' => 1, 'pg_try_advisory_xact_lock_shared' => 1, 'pg_typeof' => 1,
        'plainto_tsquery' => 1, 'phraseto_tsquery' => 1, 'random' => 1, 'row_security_active' => 1, 'session_user' => 1,
        'set_config' => 1, 'setseed' => 1, 'setval' => 1, 'statement_timestamp' => 1, 'system_user' => 1,
        'timeofday' => 1, 'to_regclass' => 1, 'to_tsquery' => 1, 'to_tsvector' => 1, 'transaction_timestamp' => 1,
        'ts_headline' => 1, 'ts_rank' => 1, 'ts_rank_cd' => 1, 'txid_current' => 1, 'user' => 1, 'version' => 1,
        'websearch_to_tsquery' => 1,
    ];

    /** Words that a parenthesis may follow, which then calls nothing; types among them. */
    private const NO_CALLS = [
        'all' => 1, 'and' => 1, 'array' => 1, 'as' => 1, 'between' => 1, 'bit' => 1, 'by' => 1, 'case' => 1,
        'char' => 1, 'character' => 1, 'dec' => 1, 'decimal' => 1, 'distinct' => 1, 'else' => 1, 'except' => 1,
        'exists' => 1, 'float' => 1, 'for' => 1, 'from' => 1, 'group' => 1, 'having' => 1, 'ilike' => 1, 'in' => 1,
        'intersect' => 1, 'interval' => 1, 'is' => 1, 'join' => 1, 'lateral' => 1, 'like' => 1, 'limit' => 1,
        'not' => 1, 'null' => 1, 'numeric' => 1, 'offset' => 1, 'on' => 1, 'only' => 1, 'or' => 1, 'order' => 1,
        'over' => 1, 'precision' => 1, 'row' => 1, 'select' => 1, 'similar' => 1, 'symmetric' => 1, 'then' => 1,
        'time' => 1, 'timestamp' => 1, 'timestamptz' => 1, 'to' => 1, 'union' => 1, 'using' => 1, 'values' => 1,
        'varchar' => 1, 'varying' => 1, 'when' => 1, 'where' => 1, 'with' => 1,
    ];

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
    ) {}

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

    public function isVolatile(string $word, ?array $arguments, bool $isPlain = true): bool
    {
        $word = $arguments === null ? ltrim($word, '"') : $word;
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

        return !isset(self::PURE[$word]) && !isset(self::NO_CALLS[$word]);
    }

    public function mayWrite(string $function, bool $isPlain): bool
    {
        return $this->has($function) || (!isset(self::NO_CALLS[$function])
            && !isset(self::PURE[$function]) && !isset(self::VOLATILE[$function]));
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
        return isset(self::RESERVED[$word]);
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

    public function mayNameTable(string $word): bool
    {
        return !$this->isReserved($word);
    }

    public function hasTablesBehindIn(): bool
    {
        return false;
    }

    public function seesAllBefore(): bool
    {
        return false;
    }

    public function seesCommonTables(): bool
    {
        return false;
    }

    public function goesOnWith(string $word): bool
    {
        return \in_array($word, ['ties', 'time', 'ordinality'], true);
    }

    public function numbersParameters(): bool
    {
        return false;
    }

    public function rowNumbers(): array
    {
        return [];
    }

    public function written(array $tokens, string $sql, array $ends): ?array
    {
        return PostgreSqlWrite::of(new ServerTokens($tokens, $sql, $ends, $this));
    }

    public function verb(array $tokens): string
    {
        return PostgreSqlWrite::verb($tokens);
    }

    public function deletesFromSeveral(): bool
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
        return isset(self::PURE[$function]) && !$this->has($function);
    }

    public function isHarmless(string $function): bool
    {
        return (isset(self::PURE[$function]) || isset(self::VOLATILE[$function]))
            && !$this->has($function);
    }

    private function has(string $function): bool
    {
        $this->functions ??= array_fill_keys(\is_array($this->asked) ? $this->asked : ($this->asked)(), 1);

        return isset($this->functions[$function]);
    }
}
