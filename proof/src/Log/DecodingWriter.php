<?php

declare(strict_types=1);

namespace Larder\Proof\Log;

use Larder\Follow\BulkChange;
use Larder\Follow\LogEvent;
use Larder\Follow\PostgreSql\TestDecoding;
use Larder\Follow\RowChange;
use Larder\Tests\Support\Sql\Choices;

/** Says of random changes what PostgreSQL's test_decoding says. */
final readonly class DecodingWriter
{
    private const TYPES = [
        'text', 'character varying', 'integer[]', '"my]type"', 'timestamp with time zone', 'app."a b"',
    ];

    /** Types whose values have no quotes. */
    private const PLAIN = [
        ['integer', '-7'], ['bigint', '9223372036854775807'], ['numeric', '-1.25'], ['double precision', '1e+300'],
        ['real', 'NaN'], ['boolean', 'true'], ['oid', '42'],
    ];

    private HostileText $hostile;

    public function __construct(private Choices $choices)
    {
        $this->hostile = new HostileText($choices);
    }

    /** @return array{string, list<LogEvent>} a text, and what it says */
    public function change(): array
    {
        if ($this->choices->happens(4)) {
            return $this->other();
        }
        [$schema, $table] = [$this->hostile->name(), $this->hostile->name()];
        $head = 'table ' . self::identifier($schema) . '.' . self::identifier($table);
        $columns = [];
        for ($left = $this->choices->number(1, 5); $left > 0; --$left) {
            $columns["c$left" . $this->hostile->name()] = $this->value();
        }
        $kind = $this->choices->one(['INSERT', 'UPDATE', 'UPDATE', 'DELETE']);
        if ($kind === 'INSERT') {
            return ["$head: $kind:" . self::printed($columns), [
                new RowChange($schema, $table, null, self::image($columns), true),
            ]];
        }
        // What was NULL is not among what was before.
        $old = array_filter($columns, static fn(array $value): bool => $value[1] !== null);
        if ($kind === 'DELETE') {
            return $old === []
                ? ["$head: DELETE: (no-tuple-data)", [BulkChange::ofTable($schema, $table, 'a row without its key')]]
                : ["$head: DELETE:" . self::printed($old), [
                    new RowChange($schema, $table, self::image($old), null, false),
                ]];
        }
        $new = $columns;
        foreach ($columns as $name => $value) {
            if ($this->choices->happens(30)) {
                $new[$name] = $this->value();
            } elseif (isset($old[$name]) && $this->choices->happens(10)) {
                $new[$name] = ['[text]:unchanged-toast-datum', $value[1]];
            }
        }
        if ($old !== [] && $this->choices->happens(60)) {
            return ["$head: UPDATE: old-key:" . self::printed($old) . ' new-tuple:' . self::printed($new), [
                new RowChange($schema, $table, self::image($old), self::image($new), false),
            ]];
        }
        $new = array_map(
            static fn(array $value): array => str_ends_with($value[0], ':unchanged-toast-datum')
                ? [$value[0], false]
                : $value,
            $new,
        );

        return ["$head: UPDATE:" . self::printed($new), [
            new RowChange($schema, $table, null, self::image($new), false),
        ]];
    }

    /** @return array{string, list<LogEvent>} */
    private function other(): array
    {
        $name = $this->hostile->name();
        $head = 'table public.' . self::identifier($name);

        return $this->choices->one([
            ['BEGIN 745', []],
            ['COMMIT 745', []],
            ['message: transactional: 1 prefix: p, sz: 5 content:' . $this->hostile->value(), []],
            ["$head: TRUNCATE: (no-flags)", [BulkChange::ofTable('public', $name, 'TRUNCATE')]],
            ["$head: DELETE: (no-tuple-data)", [BulkChange::ofTable('public', $name, 'a row without its key')]],
        ]);
    }

    /** @return array{string, string|false|null} the type and the value as they are printed, and what they say */
    private function value(): array
    {
        if ($this->choices->happens(35)) {
            [$type, $value] = $this->choices->one(self::PLAIN);

            return ["[$type]:$value", $value];
        }
        $type = $this->choices->one(self::TYPES);
        if ($this->choices->happens(12)) {
            return ["[$type]:null", null];
        }
        if ($this->choices->happens(5)) {
            return ["[bit varying]:B'1010'", '1010'];
        }
        $text = strtr($this->hostile->value(), ["\0" => '']);
        if ($this->choices->number(1, 3000) === 1) {
            $long = str_repeat('long ', TestDecoding::LONGEST_VALUE);

            return ["[$type]:'$long'", false];
        }

        return ["[$type]:'" . str_replace("'", "''", $text) . "'", $text];
    }

    /** @param array<string, array{string, string|false|null}> $columns */
    private static function printed(array $columns): string
    {
        $printed = '';
        foreach ($columns as $name => [$text]) {
            $printed .= ' ' . self::identifier($name) . $text;
        }

        return $printed;
    }

    /**
     * @param array<string, array{string, string|false|null}> $columns
     *
     * @return array<string, string|false|null>
     */
    private static function image(array $columns): array
    {
        return array_map(static fn(array $value): string|false|null => $value[1], $columns);
    }

    private static function identifier(string $name): string
    {
        return preg_match('/^[a-z_][a-z0-9_$]*$/D', $name) === 1 ? $name : '"' . str_replace('"', '""', $name) . '"';
    }
}
