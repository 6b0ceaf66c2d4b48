<?php

declare(strict_types=1);

namespace Larder\Dependency\Sql;

/** The SQL of MariaDB. Nothing of it is understood yet, so every statement counts as one that may read and write all. */
final readonly class MariaDbGrammar implements Grammar
{
    /** Functions of their arguments alone. */
    private const PURE = [
        'abs', 'acos', 'ascii', 'asin', 'atan', 'atan2', 'bin', 'bit_count', 'cast', 'ceil', 'ceiling',
        'char_length', 'character_length', 'coalesce', 'concat', 'concat_ws', 'conv', 'cos', 'cot', 'crc32',
        'date_format', 'dayofmonth', 'dayofweek', 'dayofyear', 'degrees', 'elt', 'exp', 'extract', 'field',
        'find_in_set', 'floor', 'format', 'greatest', 'hex', 'hour', 'if', 'ifnull', 'inet_aton', 'inet_ntoa',
        'instr', 'isnull', 'json_contains', 'json_extract', 'json_length', 'json_quote', 'json_unquote',
        'json_valid', 'json_value', 'lcase', 'least', 'left', 'length', 'ln', 'locate', 'log', 'log10', 'log2',
        'lower', 'lpad', 'ltrim', 'md5', 'mid', 'minute', 'mod', 'month', 'nullif', 'oct', 'octet_length', 'ord',
        'pi', 'position', 'pow', 'power', 'quarter', 'quote', 'radians', 'repeat', 'replace', 'reverse', 'right',
        'round', 'rpad', 'rtrim', 'second', 'sha', 'sha1', 'sha2', 'sign', 'sin', 'soundex', 'space', 'sqrt',
        'strcmp', 'substr', 'substring', 'substring_index', 'tan', 'to_days', 'trim', 'truncate', 'ucase', 'unhex',
        'upper', 'week', 'weekday', 'year',
    ];

    /** Functions beside them that change no rows. */
    private const HARMLESS = [
        'adddate', 'addtime', 'avg', 'bit_and', 'bit_or', 'bit_xor', 'char', 'connection_id', 'convert',
        'convert_tz', 'count', 'cume_dist', 'curdate', 'current_date', 'current_time', 'current_timestamp',
        'current_user', 'curtime', 'database', 'date', 'date_add', 'date_sub', 'datediff', 'day', 'dayname',
        'dense_rank', 'first_value', 'found_rows', 'from_days', 'from_unixtime', 'group_concat', 'json_array',
        'json_array_append', 'json_array_insert', 'json_arrayagg', 'json_insert', 'json_merge_patch', 'json_object',
        'json_objectagg', 'json_remove', 'json_replace', 'json_set', 'lag', 'last_day', 'last_insert_id',
        'last_value', 'lead', 'localtime', 'localtimestamp', 'makedate', 'maketime', 'max', 'microsecond', 'min',
        'monthname', 'now', 'nth_value', 'ntile', 'percent_rank', 'period_add', 'period_diff', 'rand', 'rank',
        'row_count', 'row_number', 'schema', 'sec_to_time', 'std', 'stddev', 'stddev_pop', 'stddev_samp',
        'str_to_date', 'subdate', 'subtime', 'sum', 'sysdate', 'time', 'time_format', 'time_to_sec', 'timediff',
        'timestamp', 'timestampadd', 'timestampdiff', 'unix_timestamp', 'user', 'utc_date', 'utc_time',
        'utc_timestamp', 'uuid', 'uuid_short', 'value', 'values', 'var_pop', 'var_samp', 'variance', 'version',
    ];

    public function token(): string
    {
        return '/(?!)/';
    }

    public function unquote(string $identifier): string
    {
        return $identifier;
    }

    public function isVolatile(string $word, ?array $arguments): bool
    {
        return true;
    }

    public function isTableFunction(string $name): bool
    {
        return false;
    }

    public function isPure(string $function): bool
    {
        return \in_array($function, self::PURE, true);
    }

    public function isHarmless(string $function): bool
    {
        return \in_array($function, self::PURE, true) || \in_array($function, self::HARMLESS, true);
    }
}
