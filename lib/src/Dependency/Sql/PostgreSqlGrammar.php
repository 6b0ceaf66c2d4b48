<?php

declare(strict_types=1);

namespace Larder\Dependency\Sql;

/** The SQL of PostgreSQL. Nothing of it is understood yet, so every statement counts as one that may read and write all. */
final readonly class PostgreSqlGrammar implements Grammar
{
    /** Functions of their arguments alone. */
    private const PURE = [
        'abs', 'acos', 'ascii', 'asin', 'atan', 'atan2', 'bit_length', 'btrim', 'cast', 'cbrt', 'ceil', 'ceiling',
        'char_length', 'character_length', 'chr', 'coalesce', 'concat', 'concat_ws', 'cos', 'cot', 'degrees', 'div',
        'exp', 'floor', 'greatest', 'initcap', 'least', 'left', 'length', 'ln', 'log', 'log10', 'lower', 'lpad',
        'ltrim', 'md5', 'mod', 'nullif', 'octet_length', 'overlay', 'pi', 'position', 'pow', 'power',
        'quote_literal', 'radians', 'regexp_replace', 'repeat', 'replace', 'reverse', 'right', 'round', 'rpad',
        'rtrim', 'sign', 'sin', 'split_part', 'sqrt', 'starts_with', 'strpos', 'substr', 'substring', 'tan',
        'translate', 'trim', 'trunc', 'upper', 'width_bucket',
    ];

    /** Functions beside them that change no rows. */
    private const HARMLESS = [
        'age', 'array_agg', 'array_append', 'array_length', 'array_position', 'array_remove', 'array_to_string',
        'avg', 'bit_and', 'bit_or', 'bool_and', 'bool_or', 'clock_timestamp', 'count', 'cume_dist',
        'current_database', 'current_schema', 'current_setting', 'currval', 'date_part', 'date_trunc', 'dense_rank',
        'every', 'extract', 'first_value', 'format', 'gen_random_uuid', 'generate_series', 'json_agg',
        'json_array_length', 'json_build_array', 'json_build_object', 'json_each', 'json_object_agg', 'jsonb_agg',
        'jsonb_array_length', 'jsonb_build_array', 'jsonb_build_object', 'jsonb_each', 'jsonb_object_agg',
        'jsonb_set', 'lag', 'last_value', 'lastval', 'lead', 'localtime', 'localtimestamp', 'make_date',
        'make_interval', 'max', 'min', 'nextval', 'now', 'nth_value', 'ntile', 'percent_rank', 'percentile_cont',
        'percentile_disc', 'pg_backend_pid', 'pg_typeof', 'random', 'rank', 'regexp_match', 'regexp_matches',
        'row_number', 'row_to_json', 'statement_timestamp', 'stddev', 'stddev_pop', 'stddev_samp', 'string_agg',
        'string_to_array', 'sum', 'to_char', 'to_date', 'to_json', 'to_jsonb', 'to_number', 'to_timestamp',
        'transaction_timestamp', 'txid_current', 'unnest', 'var_pop', 'var_samp', 'variance', 'version',
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
