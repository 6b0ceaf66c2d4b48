<?php

declare(strict_types=1);

namespace Larder\Sql\Reading;

/**
 * The SQL of MariaDB, as a session with a certain sql_mode writes it.
 *
 * @internal
 *
 * @see https://mariadb.com/kb/en/sql-mode/
 */
final readonly class MariaDbGrammar implements Grammar
{
    /** Words that are never taken as a name here; the server lets some of the second part be names. */
    private const RESERVED = [
        'accessible' => 1, 'add' => 1, 'all' => 1, 'alter' => 1, 'analyze' => 1, 'and' => 1, 'as' => 1, 'asc' => 1,
        'asensitive' => 1, 'before' => 1, 'between' => 1, 'bigint' => 1, 'binary' => 1, 'blob' => 1, 'both' => 1,
        'by' => 1, 'call' => 1, 'cascade' => 1, 'case' => 1, 'change' => 1, 'char' => 1, 'character' => 1, 'check' => 1,
        'collate' => 1, 'column' => 1, 'condition' => 1, 'constraint' => 1, 'continue' => 1, 'convert' => 1,
        'create' => 1, 'cross' => 1, 'current_date' => 1, 'current_role' => 1, 'current_time' => 1,
        'current_timestamp' => 1, 'current_user' => 1, 'cursor' => 1, 'databases' => 1, 'day_hour' => 1,
        'day_microsecond' => 1, 'day_minute' => 1, 'day_second' => 1, 'dec' => 1, 'decimal' => 1, 'declare' => 1,
        'default' => 1, 'delayed' => 1, 'delete' => 1, 'delete_domain_id' => 1, 'desc' => 1, 'describe' => 1,
        'deterministic' => 1, 'distinct' => 1, 'distinctrow' => 1, 'div' => 1, 'do_domain_ids' => 1, 'double' => 1,
        'drop' => 1, 'dual' => 1, 'each' => 1, 'else' => 1, 'elseif' => 1, 'enclosed' => 1, 'escaped' => 1,
        'except' => 1, 'exists' => 1, 'exit' => 1, 'explain' => 1, 'false' => 1, 'fetch' => 1, 'float' => 1,
        'float4' => 1, 'float8' => 1, 'for' => 1, 'force' => 1, 'foreign' => 1, 'from' => 1, 'fulltext' => 1,
        'grant' => 1, 'group' => 1, 'having' => 1, 'high_priority' => 1, 'hour_microsecond' => 1, 'hour_minute' => 1,
        'hour_second' => 1, 'if' => 1, 'ignore' => 1, 'ignore_domain_ids' => 1, 'in' => 1, 'index' => 1, 'infile' => 1,
        'inner' => 1, 'inout' => 1, 'insensitive' => 1, 'insert' => 1, 'int' => 1, 'int1' => 1, 'int2' => 1,
        'int3' => 1, 'int4' => 1, 'int8' => 1, 'integer' => 1, 'intersect' => 1, 'interval' => 1, 'into' => 1,
        'is' => 1, 'iterate' => 1, 'join' => 1, 'key' => 1, 'keys' => 1, 'kill' => 1, 'leading' => 1, 'leave' => 1,
        'left' => 1, 'like' => 1, 'limit' => 1, 'linear' => 1, 'lines' => 1, 'load' => 1, 'localtime' => 1,
        'localtimestamp' => 1, 'lock' => 1, 'long' => 1, 'longblob' => 1, 'longtext' => 1, 'loop' => 1,
        'low_priority' => 1, 'master_demote_to_replica' => 1, 'master_demote_to_slave' => 1,
        'master_ssl_verify_server_cert' => 1, 'match' => 1, 'maxvalue' => 1, 'mediumblob' => 1, 'mediumint' => 1,
        'mediumtext' => 1, 'middleint' => 1, 'minute_microsecond' => 1, 'minute_second' => 1, 'mod' => 1,
        'modifies' => 1, 'natural' => 1, 'no_write_to_binlog' => 1, 'not' => 1, 'null' => 1, 'numeric' => 1,
        'offset' => 1, 'on' => 1, 'optimize' => 1, 'optionally' => 1, 'or' => 1, 'order' => 1, 'out' => 1, 'outer' => 1,
        'outfile' => 1, 'over' => 1, 'page_checksum' => 1, 'parse_vcol_expr' => 1, 'partition' => 1, 'portion' => 1,
        'precision' => 1, 'primary' => 1, 'procedure' => 1, 'purge' => 1, 'range' => 1, 'read' => 1, 'read_write' => 1,
        'reads' => 1, 'real' => 1, 'recursive' => 1, 'ref_system_id' => 1, 'references' => 1, 'regexp' => 1,
        'release' => 1, 'rename' => 1, 'repeat' => 1, 'replace' => 1, 'require' => 1, 'resignal' => 1, 'restrict' => 1,
        'return' => 1, 'returning' => 1, 'revoke' => 1, 'right' => 1, 'rlike' => 1, 'row_number' => 1, 'rows' => 1,
        'schemas' => 1, 'second_microsecond' => 1, 'select' => 1, 'sensitive' => 1, 'separator' => 1, 'set' => 1,
        'show' => 1, 'signal' => 1, 'smallint' => 1, 'sounds' => 1, 'spatial' => 1, 'specific' => 1, 'sql' => 1,
        'sql_big_result' => 1, 'sql_calc_found_rows' => 1, 'sql_small_result' => 1, 'sqlexception' => 1,
        'sqlstate' => 1, 'sqlwarning' => 1, 'ssl' => 1, 'starting' => 1, 'stats_auto_recalc' => 1,
        'stats_persistent' => 1, 'stats_sample_pages' => 1, 'straight_join' => 1, 'table' => 1, 'terminated' => 1,
        'then' => 1, 'tinyblob' => 1, 'tinyint' => 1, 'tinytext' => 1, 'to' => 1, 'trailing' => 1, 'trigger' => 1,
        'true' => 1, 'undo' => 1, 'union' => 1, 'unique' => 1, 'unlock' => 1, 'unsigned' => 1, 'update' => 1,
        'usage' => 1, 'use' => 1, 'using' => 1, 'utc_date' => 1, 'utc_time' => 1, 'utc_timestamp' => 1, 'values' => 1,
        'varbinary' => 1, 'varchar' => 1, 'varcharacter' => 1, 'varying' => 1, 'when' => 1, 'where' => 1, 'while' => 1,
        'window' => 1, 'with' => 1, 'write' => 1, 'xor' => 1, 'year_month' => 1, 'zerofill' => 1, 'against' => 1,
        'any' => 1, 'end' => 1, 'escape' => 1, 'examined' => 1, 'full' => 1, 'lateral' => 1, 'next' => 1,
        'previous' => 1, 'qualify' => 1, 'some' => 1, 'sql_buffer_result' => 1, 'sql_cache' => 1, 'sql_no_cache' => 1,
        'system_time' => 1, 'unknown' => 1,
    ];

    /** Functions of their arguments alone, in a session whose settings stay as they are. */
    private const PURE = [
        'abs' => 1, 'acos' => 1, 'adddate' => 1, 'addtime' => 1, 'ascii' => 1, 'asin' => 1, 'atan' => 1, 'atan2' => 1,
        'avg' => 1, 'bin' => 1, 'bit_and' => 1, 'bit_count' => 1, 'bit_length' => 1, 'bit_or' => 1, 'bit_xor' => 1,
        'cast' => 1, 'ceil' => 1, 'ceiling' => 1, 'char' => 1, 'char_length' => 1, 'character_length' => 1, 'chr' => 1,
        'coalesce' => 1, 'concat' => 1, 'concat_ws' => 1, 'conv' => 1, 'convert' => 1, 'cos' => 1, 'cot' => 1,
        'count' => 1, 'crc32' => 1, 'crc32c' => 1, 'cume_dist' => 1, 'date' => 1, 'date_add' => 1, 'date_format' => 1,
        'date_sub' => 1, 'datediff' => 1, 'day' => 1, 'dayname' => 1, 'dayofmonth' => 1, 'dayofweek' => 1,
        'dayofyear' => 1, 'degrees' => 1, 'dense_rank' => 1, 'elt' => 1, 'exp' => 1, 'export_set' => 1, 'extract' => 1,
        'field' => 1, 'find_in_set' => 1, 'first_value' => 1, 'floor' => 1, 'format' => 1, 'from_base64' => 1,
        'from_days' => 1, 'greatest' => 1, 'group_concat' => 1, 'hex' => 1, 'hour' => 1, 'if' => 1, 'ifnull' => 1,
        'inet6_aton' => 1, 'inet6_ntoa' => 1, 'inet_aton' => 1, 'inet_ntoa' => 1, 'instr' => 1, 'interval' => 1,
        'is_ipv4' => 1, 'is_ipv6' => 1, 'isnull' => 1, 'json_array' => 1, 'json_array_append' => 1,
        'json_array_insert' => 1, 'json_arrayagg' => 1, 'json_compact' => 1, 'json_contains' => 1,
        'json_contains_path' => 1, 'json_depth' => 1, 'json_detailed' => 1, 'json_equals' => 1, 'json_exists' => 1,
        'json_extract' => 1, 'json_insert' => 1, 'json_keys' => 1, 'json_length' => 1, 'json_loose' => 1,
        'json_merge' => 1, 'json_merge_patch' => 1, 'json_merge_preserve' => 1, 'json_normalize' => 1,
        'json_object' => 1, 'json_objectagg' => 1, 'json_overlaps' => 1, 'json_query' => 1, 'json_quote' => 1,
        'json_remove' => 1, 'json_replace' => 1, 'json_search' => 1, 'json_set' => 1, 'json_type' => 1,
        'json_unquote' => 1, 'json_valid' => 1, 'json_value' => 1, 'lag' => 1, 'last_day' => 1, 'last_value' => 1,
        'lcase' => 1, 'lead' => 1, 'least' => 1, 'left' => 1, 'length' => 1, 'ln' => 1, 'locate' => 1, 'log' => 1,
        'log10' => 1, 'log2' => 1, 'lower' => 1, 'lpad' => 1, 'ltrim' => 1, 'make_set' => 1, 'makedate' => 1,
        'maketime' => 1, 'max' => 1, 'md5' => 1, 'median' => 1, 'microsecond' => 1, 'mid' => 1, 'min' => 1,
        'minute' => 1, 'mod' => 1, 'month' => 1, 'monthname' => 1, 'natural_sort_key' => 1, 'nth_value' => 1,
        'ntile' => 1, 'nullif' => 1, 'nvl' => 1, 'nvl2' => 1, 'oct' => 1, 'octet_length' => 1, 'ord' => 1,
        'percent_rank' => 1, 'percentile_cont' => 1, 'percentile_disc' => 1, 'period_add' => 1, 'period_diff' => 1,
        'pi' => 1, 'position' => 1, 'pow' => 1, 'power' => 1, 'quarter' => 1, 'quote' => 1, 'radians' => 1, 'rank' => 1,
        'regexp_instr' => 1, 'regexp_replace' => 1, 'regexp_substr' => 1, 'repeat' => 1, 'replace' => 1, 'reverse' => 1,
        'right' => 1, 'round' => 1, 'row_number' => 1, 'rpad' => 1, 'rtrim' => 1, 'sec_to_time' => 1, 'second' => 1,
        'sha' => 1, 'sha1' => 1, 'sha2' => 1, 'sign' => 1, 'sin' => 1, 'soundex' => 1, 'space' => 1, 'sqrt' => 1,
        'std' => 1, 'stddev' => 1, 'stddev_pop' => 1, 'stddev_samp' => 1, 'str_to_date' => 1, 'strcmp' => 1,
        'subdate' => 1, 'substr' => 1, 'substring' => 1, 'substring_index' => 1, 'subtime' => 1, 'sum' => 1, 'tan' => 1,
        'time' => 1, 'time_format' => 1, 'time_to_sec' => 1, 'timediff' => 1, 'timestampadd' => 1, 'timestampdiff' => 1,
        'to_base64' => 1, 'to_char' => 1, 'to_days' => 1, 'to_seconds' => 1, 'trim' => 1, 'truncate' => 1, 'ucase' => 1,
        'unhex' => 1, 'upper' => 1, 'var_pop' => 1, 'var_samp' => 1, 'variance' => 1, 'week' => 1, 'weekday' => 1,
        'weekofyear' => 1, 'weight_string' => 1, 'year' => 1, 'yearweek' => 1,
    ];

    /** Functions that ask for the clock, for chance or for the connection's state, or change that state. */
    private const VOLATILE = [
        'aes_decrypt' => 1, 'aes_encrypt' => 1, 'benchmark' => 1, 'binlog_gtid_pos' => 1, 'charset' => 1,
        'coercibility' => 1, 'collation' => 1, 'column_check' => 1, 'connection_id' => 1, 'convert_tz' => 1,
        'curdate' => 1, 'current_date' => 1, 'current_role' => 1, 'current_time' => 1, 'current_timestamp' => 1,
        'current_user' => 1, 'curtime' => 1, 'database' => 1, 'decode' => 1, 'default' => 1, 'encode' => 1,
        'encrypt' => 1, 'found_rows' => 1, 'from_unixtime' => 1, 'get_lock' => 1, 'is_free_lock' => 1,
        'is_used_lock' => 1, 'last_insert_id' => 1, 'lastval' => 1, 'load_file' => 1, 'localtime' => 1,
        'localtimestamp' => 1, 'master_gtid_wait' => 1, 'master_pos_wait' => 1, 'match' => 1, 'name_const' => 1,
        'nextval' => 1, 'now' => 1, 'old_password' => 1, 'password' => 1, 'rand' => 1, 'random_bytes' => 1,
        'release_all_locks' => 1, 'release_lock' => 1, 'row_count' => 1, 'schema' => 1, 'session_user' => 1,
        'setval' => 1, 'sformat' => 1, 'sleep' => 1, 'sys_guid' => 1, 'sysdate' => 1, 'system_user' => 1,
        'timestamp' => 1, 'unix_timestamp' => 1, 'user' => 1, 'utc_date' => 1, 'utc_time' => 1, 'utc_timestamp' => 1,
        'uuid' => 1, 'uuid_short' => 1, 'uuid_v4' => 1, 'uuid_v7' => 1, 'version' => 1, 'xmltype' => 1,
        'extractvalue' => 1, 'updatexml' => 1,
    ];

    /** Words that a parenthesis may follow, which then calls nothing. */
    private const NO_CALLS = [
        'all' => 1, 'and' => 1, 'as' => 1, 'between' => 1, 'binary' => 1, 'by' => 1, 'case' => 1, 'collate' => 1,
        'decimal' => 1, 'distinct' => 1, 'distinctrow' => 1, 'div' => 1, 'else' => 1, 'except' => 1, 'exists' => 1,
        'from' => 1, 'group' => 1, 'having' => 1, 'in' => 1, 'index' => 1, 'intersect' => 1, 'is' => 1, 'join' => 1,
        'key' => 1, 'like' => 1, 'limit' => 1, 'not' => 1, 'null' => 1, 'numeric' => 1, 'offset' => 1, 'on' => 1,
        'or' => 1, 'over' => 1, 'partition' => 1, 'regexp' => 1, 'rlike' => 1, 'row' => 1, 'rows' => 1, 'select' => 1,
        'straight_join' => 1, 'then' => 1, 'union' => 1, 'unsigned' => 1, 'using' => 1, 'values' => 1, 'varchar' => 1,
        'when' => 1, 'where' => 1, 'with' => 1, 'xor' => 1,
    ];

    /** With a blank before its parenthesis this is a stored function of that name, unless the mode ignores blanks. */
    private const ADJACENT = [
        'adddate' => 1, 'bit_and' => 1, 'bit_or' => 1, 'bit_xor' => 1, 'cast' => 1, 'count' => 1, 'cume_dist' => 1,
        'curdate' => 1, 'curtime' => 1, 'date_add' => 1, 'date_sub' => 1, 'dense_rank' => 1, 'extract' => 1,
        'first_value' => 1, 'group_concat' => 1, 'json_arrayagg' => 1, 'json_objectagg' => 1, 'lag' => 1,
        'last_value' => 1, 'lead' => 1, 'max' => 1, 'median' => 1, 'mid' => 1, 'min' => 1, 'now' => 1,
        'nth_value' => 1, 'ntile' => 1, 'percent_rank' => 1, 'percentile_cont' => 1, 'percentile_disc' => 1,
        'position' => 1, 'rank' => 1, 'row_number' => 1, 'session_user' => 1, 'std' => 1, 'stddev' => 1,
        'stddev_pop' => 1, 'stddev_samp' => 1, 'subdate' => 1, 'substr' => 1, 'substring' => 1, 'sum' => 1,
        'sysdate' => 1, 'system_user' => 1, 'trim' => 1, 'var_pop' => 1, 'var_samp' => 1, 'variance' => 1,
    ];

    private const TIGHTNESS = [
        'or' => 1, '||' => 1, 'xor' => 1, 'and' => 2, '&&' => 2,
        '=' => 4, '<=>' => 4, '<>' => 4, '!=' => 4, '<' => 4, '<=' => 4, '>' => 4, '>=' => 4, 'is' => 4, 'in' => 4,
        'like' => 4, 'rlike' => 4, 'regexp' => 4, 'sounds' => 4, 'between' => 4, 'not' => 4,
        '|' => 5, '&' => 6, '<<' => 7, '>>' => 7, '+' => 8, '-' => 8, '*' => 9, '/' => 9, '%' => 9, 'div' => 9,
        'mod' => 9, '^' => 10, 'collate' => 12,
    ];

    private const VALUES = [
        'null' => 1, 'true' => 1, 'false' => 1, 'current_date' => 1, 'current_role' => 1, 'current_time' => 1,
        'current_timestamp' => 1, 'current_user' => 1, 'localtime' => 1, 'localtimestamp' => 1, 'utc_date' => 1,
        'utc_time' => 1, 'utc_timestamp' => 1,
    ];

    /** Reserved words only: others may be the name of a table. */
    private const ENDS_FROM = [
        'where' => 1, 'group' => 1, 'having' => 1, 'order' => 1, 'limit' => 1, 'union' => 1, 'except' => 1,
        'intersect' => 1, 'select' => 1, 'values' => 1, 'offset' => 1, 'fetch' => 1, 'into' => 1, 'lock' => 1,
        'procedure' => 1,
    ];

    /**
     * @param bool        $backslashes whether a backslash escapes: there is no NO_BACKSLASH_ESCAPES
     * @param bool        $ansiQuotes  whether "x" is a name, not a string: ANSI_QUOTES
     * @param string|null $database    of the connection; null: not known
     * @param bool        $isUtf8      whether the connection's texts are UTF-8; else nothing beyond ASCII is understood
     * @param bool        $isKnown     whether nothing else in the sql_mode changes how a text is read
     * @param bool        $ignoresSpace whether a blank before a function's parenthesis is left out: IGNORE_SPACE
     */
    public function __construct(
        private bool $backslashes = true,
        private bool $ansiQuotes = false,
        private ?string $database = null,
        private bool $isUtf8 = true,
        private bool $isKnown = true,
        private bool $ignoresSpace = false,
    ) {}

    /**
     * The grammar of a session.
     *
     * @param string      $sqlMode  its @@sql_mode
     * @param string|null $database its DATABASE()
     * @param string      $charset  its @@character_set_client
     */
    public static function of(string $sqlMode, ?string $database = null, string $charset = 'utf8mb4'): self
    {
        $modes = explode(',', strtoupper($sqlMode));

        return new self(
            !\in_array('NO_BACKSLASH_ESCAPES', $modes, true),
            \in_array('ANSI_QUOTES', $modes, true),
            $database,
            \in_array($charset, ['utf8', 'utf8mb3', 'utf8mb4'], true),
            // With the last one '' is NULL, which <=> finds.
            array_intersect(['ORACLE', 'MSSQL', 'EMPTY_STRING_IS_NULL'], $modes) === [],
            \in_array('IGNORE_SPACE', $modes, true),
        );
    }

    /**
     * A comment with a ! is a part of the statement, at least for some servers. Only one fits a token: that of a join
     * in the order of its tables, as MediaWiki has it.
     */
    public function token(): string
    {
        if (!$this->isKnown) {
            return '/(?!)/';
        }
        // In other charsets a byte of a letter may be a quote, a backslash or a blank.
        $ascii = $this->isUtf8 ? '' : '(?!\A[\x00-\x7f]*+[\x80-\xff])';
        $single = $this->backslashes ? "'(?:[^'\\\\]|''|\\\\.)*+'" : "'(?:[^']|'')*+'";
        $double = strtr($single, "'", '"');
        $strings = $single . ($this->ansiQuotes ? '' : "|$double");
        $quoted = '`(?:[^`\0]|``)++`' . ($this->ansiQuotes ? '|"(?:[^"\0]|"")++"' : '');
        // A comment is no blank: with one before its parenthesis it is a stored function still.
        $apart = $this->ignoresSpace ? '(?!\s*+\()' : '';

        return <<<PCRE
            ~\\G$ascii(?:(?:\\s++|(?>\\#[^\\n\\0]*+(?:\\n|\\z)|--(?=\\s|\\z)[^\\n\\0]*+(?:\\n|\\z)
                |/\\*(?![!+]|M!)[^\\0]*?\\*/)$apart)(*MARK:skip)
            |/\\*![ ](?i:STRAIGHT_JOIN)[ ]\\*/(*MARK:word)
            |(?:[nNxXbB]$single|$strings)(*MARK:string)
            |(?:$quoted)(*MARK:quoted)
            |[A-Za-z_\$\\x80-\\xff][A-Za-z0-9_\$\\x80-\\xff]*+(*MARK:word)
            |(?:0[xX][0-9a-fA-F]++|0b[01]++|[0-9]++(?:\\.[0-9]*+)?(?:[eE][+-]?[0-9]++)?
                |(?<![A-Za-z0-9_\$`"\\x80-\\xff])\\.[0-9]++(?:[eE][+-]?[0-9]++)?)
                (?![A-Za-z0-9_\$.\\x80-\\xff])(*MARK:number)
            |@@?(?:[A-Za-z0-9_.\$\\x80-\\xff]++|`[^`]*+`)(*MARK:variable)
            |(?:\\?|:[A-Za-z0-9_]++)(*MARK:parameter)
            |(?::=|<=>|<>|!=|<=|>=|<<|>>|\\|\\||&&|/(?!\\*)|[-+*%<>=!|&^\\~(),;.])(*MARK:sign))~xs
            PCRE;
    }

    public function unquote(string $identifier): string
    {
        $quote = $identifier[0];

        return strtolower(str_replace($quote . $quote, $quote, substr($identifier, 1, -1)));
    }

    public function text(string $string): ?string
    {
        $quote = $string[0];
        $isPlain = ($quote === "'" || $quote === '"') && !str_contains($string, '\\');

        return $isPlain ? str_replace($quote . $quote, $quote, substr($string, 1, -1)) : null;
    }

    public function isVolatile(string $word, ?array $arguments, bool $isPlain = true): bool
    {
        if ($arguments === null) {
            $word = ltrim($word, '"');

            return isset(self::VALUES[$word]) && !\in_array($word, ['null', 'true', 'false'], true)
                || $word === 'examined';
        }

        return !isset(self::NO_CALLS[$word])
            && (!isset(self::PURE[$word]) || $this->isStored($word, $isPlain));
    }

    public function mayWrite(string $function, bool $isPlain): bool
    {
        return !isset(self::NO_CALLS[$function]) && (
            (!isset(self::PURE[$function]) && !isset(self::VOLATILE[$function]))
            || $this->isStored($function, $isPlain)
        );
    }

    public function isTableFunction(string $name): bool
    {
        return false;
    }

    public function tightness(string $operator): int
    {
        return self::TIGHTNESS[$operator] ?? 0;
    }

    public function isReserved(string $word): bool
    {
        return isset(self::RESERVED[$word]) || str_starts_with($word, '/*!');
    }

    public function isValue(string $word): bool
    {
        return isset(self::VALUES[$word]);
    }

    public function isOwnSchema(string $name): bool
    {
        return $this->database === $name;
    }

    public function writes(array $tokens, int $at): bool
    {
        $word = $tokens[$at][1];
        $next = $tokens[$at + 1][1] ?? '';

        return match ($word) {
            'insert', 'replace' => $next !== '(',
            'update', 'delete', 'into', 'lock', 'procedure', 'table' => true,
            'for' => \in_array($next, ['update', 'system_time', 'portion'], true)
                || ($tokens[$at - 1][1] ?? '') === 'value',
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
        return \in_array($word, ['rollup', 'ties'], true);
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
        return MariaDbWrite::of(new ServerTokens($tokens, $sql, $ends, $this));
    }

    public function verb(array $tokens): string
    {
        return MariaDbWrite::verb($tokens);
    }

    public function deletesFromSeveral(): bool
    {
        return true;
    }

    public function tellsCases(): bool
    {
        return true;
    }

    public function isClock(string $string): bool
    {
        return false;
    }

    public function isPure(string $function): bool
    {
        return isset(self::PURE[$function]);
    }

    public function isHarmless(string $function): bool
    {
        return isset(self::PURE[$function]) || isset(self::VOLATILE[$function]);
    }

    private function isStored(string $function, bool $isPlain): bool
    {
        return !$isPlain && !$this->ignoresSpace && isset(self::ADJACENT[$function]);
    }
}
