<?php

declare(strict_types=1);

namespace Larder\Dependency\Sql;

/**
 * The SQL of MariaDB, as a session with a certain sql_mode writes it.
 *
 * @see https://mariadb.com/kb/en/sql-mode/
 */
final readonly class MariaDbGrammar implements Grammar
{
    /** Words that are never taken as a name here; the server lets some of the second part be names. */
    private const RESERVED = <<<'SQL'
        accessible add all alter analyze and as asc asensitive before between bigint binary blob both by call
        cascade case change char character check collate column condition constraint continue convert create
        cross current_date current_role current_time current_timestamp current_user cursor databases day_hour
        day_microsecond day_minute day_second dec decimal declare default delayed delete delete_domain_id desc
        describe deterministic distinct distinctrow div do_domain_ids double drop dual each else elseif enclosed
        escaped except exists exit explain false fetch float float4 float8 for force foreign from fulltext grant
        group having high_priority hour_microsecond hour_minute hour_second if ignore ignore_domain_ids in index
        infile inner inout insensitive insert int int1 int2 int3 int4 int8 integer intersect interval into is
        iterate join key keys kill leading leave left like limit linear lines load localtime localtimestamp lock
        long longblob longtext loop low_priority master_demote_to_replica master_demote_to_slave
        master_ssl_verify_server_cert match maxvalue mediumblob mediumint mediumtext middleint
        minute_microsecond minute_second mod modifies natural no_write_to_binlog not null numeric offset on
        optimize optionally or order out outer outfile over page_checksum parse_vcol_expr partition portion
        precision primary procedure purge range read read_write reads real recursive ref_system_id references
        regexp release rename repeat replace require resignal restrict return returning revoke right rlike
        row_number rows schemas second_microsecond select sensitive separator set show signal smallint sounds
        spatial specific sql sql_big_result sql_calc_found_rows sql_small_result sqlexception sqlstate
        sqlwarning ssl starting stats_auto_recalc stats_persistent stats_sample_pages straight_join table
        terminated then tinyblob tinyint tinytext to trailing trigger true undo union unique unlock unsigned
        update usage use using utc_date utc_time utc_timestamp values varbinary varchar varcharacter varying
        when where while window with write xor year_month zerofill

        against any end escape examined full lateral next previous qualify some sql_buffer_result sql_cache
        sql_no_cache system_time unknown
        SQL;

    /** Functions of their arguments alone, in a session whose settings stay as they are. */
    private const PURE = <<<'SQL'
        abs acos adddate addtime ascii asin atan atan2 avg bin bit_and bit_count bit_length bit_or bit_xor cast
        ceil ceiling char char_length character_length chr coalesce concat concat_ws conv convert cos cot count
        crc32 crc32c cume_dist date date_add date_format date_sub datediff day dayname dayofmonth dayofweek
        dayofyear degrees dense_rank elt exp export_set extract field find_in_set first_value floor format
        from_base64 from_days greatest group_concat hex hour if ifnull inet6_aton inet6_ntoa inet_aton inet_ntoa
        instr interval is_ipv4 is_ipv6 isnull json_array json_array_append json_array_insert json_arrayagg
        json_compact json_contains json_contains_path json_depth json_detailed json_equals json_exists
        json_extract json_insert json_keys json_length json_loose json_merge json_merge_patch
        json_merge_preserve json_normalize json_object json_objectagg json_overlaps json_query json_quote
        json_remove json_replace json_search json_set json_type json_unquote json_valid json_value lag last_day
        last_value lcase lead least left length ln locate log log10 log2 lower lpad ltrim make_set makedate
        maketime max md5 median microsecond mid min minute mod month monthname natural_sort_key nth_value ntile
        nullif nvl nvl2 oct octet_length ord percent_rank percentile_cont percentile_disc period_add period_diff
        pi position pow power quarter quote radians rank regexp_instr regexp_replace regexp_substr repeat
        replace reverse right round row_number rpad rtrim sec_to_time second sha sha1 sha2 sign sin soundex
        space sqrt std stddev stddev_pop stddev_samp str_to_date strcmp subdate substr substring substring_index
        subtime sum tan time time_format time_to_sec timediff timestampadd timestampdiff to_base64 to_char
        to_days to_seconds trim truncate ucase unhex upper var_pop var_samp variance week weekday weekofyear
        weight_string year yearweek
        SQL;

    /** Functions that ask for the clock, for chance or for the connection's state, or change that state. */
    private const VOLATILE = <<<'SQL'
        aes_decrypt aes_encrypt benchmark binlog_gtid_pos charset coercibility collation column_check
        connection_id convert_tz curdate current_date current_role current_time current_timestamp current_user
        curtime database decode default encode encrypt found_rows from_unixtime get_lock is_free_lock
        is_used_lock last_insert_id lastval load_file localtime localtimestamp master_gtid_wait master_pos_wait
        match name_const nextval now old_password password rand random_bytes release_all_locks release_lock
        row_count schema session_user setval sformat sleep sys_guid sysdate system_user timestamp unix_timestamp
        user utc_date utc_time utc_timestamp uuid uuid_short uuid_v4 uuid_v7 version xmltype extractvalue
        updatexml
        SQL;

    /** Words that a parenthesis may follow, which then calls nothing. */
    private const NO_CALLS = <<<'SQL'
        all and as between binary by case collate decimal distinct distinctrow div else except exists from group
        having in index intersect is join key like limit not null numeric offset on or over partition regexp
        rlike row rows select straight_join then union unsigned using values varchar when where with xor
        SQL;

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

    /** @var array<string, int> */
    private array $reserved;

    /** @var array<string, int> */
    private array $pure;

    /** @var array<string, int> */
    private array $volatile;

    /** @var array<string, int> */
    private array $noCalls;

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
    ) {
        [$this->reserved, $this->pure, $this->volatile, $this->noCalls] = array_map(
            static fn(string $words): array => array_fill_keys((array) preg_split('/\s+/', $words), 1),
            [self::RESERVED, self::PURE, self::VOLATILE, self::NO_CALLS],
        );
    }

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
            return isset(self::VALUES[$word]) && !\in_array($word, ['null', 'true', 'false'], true)
                || $word === 'examined';
        }

        return !isset($this->noCalls[$word])
            && (!isset($this->pure[$word]) || $this->isStored($word, $isPlain));
    }

    public function mayWrite(string $function, bool $isPlain): bool
    {
        return !isset($this->noCalls[$function]) && (
            (!isset($this->pure[$function]) && !isset($this->volatile[$function]))
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
        return isset($this->reserved[$word]) || str_starts_with($word, '/*!');
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

    public function isSqlite(): bool
    {
        return false;
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
        return isset($this->pure[$function]);
    }

    public function isHarmless(string $function): bool
    {
        return isset($this->pure[$function]) || isset($this->volatile[$function]);
    }

    private function isStored(string $function, bool $isPlain): bool
    {
        return !$isPlain && !$this->ignoresSpace && isset(self::ADJACENT[$function]);
    }
}
