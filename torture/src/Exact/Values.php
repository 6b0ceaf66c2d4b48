<?php

declare(strict_types=1);

namespace Larder\Torture\Exact;

/** Values that are equal for the database and not for PHP, or the other way round, out of few, so that many meet. */
final readonly class Values
{
    private const INTEGERS = ['0', '1', '1', '2', '2', '3', '3', '4', '4', '5', '6', '-1', '9007199254740993'];
    private const NUMBERS = ['0', '1', '2', '4', '1.5', '2.0', '-0.5', '1e1'];
    private const TEXTS = ["'a'", "'a'", "'A'", "'b'", "'b'", "'ab'", "'B'", "'c'", "'a '", "''", "'1'", "'01'", "'é'"];
    private const STRANGE = [
        'NULL', "'4'", "'04'", "' 4'", "'4.0'", '4.0', '4e0', '0x4', '+4', '- 4', '-4', "x'61'", 'true', 'false',
        '2 + 2', "'a' || ''", "'4abc'", '4611686018427387904', '9223372036854775808', "'1e0'", '(4)', "('a')", '1.0',
        "CAST(4 AS TEXT)", "abs(-4)", "'it''s'", "\"4\"", "'a' COLLATE NOCASE", '4 -- four', '/* a */ 4', '00004',
        "'?'", "':a'", '1_', '.5', '-0', "''''",
    ];

    /** Values that an application binds. */
    private const BOUND = [
        0, 1, 2, 3, 4, 5, -1, '0', '1', '4', '04', ' 4', '4.0', 4.0, 1.5, 'a', 'A', 'b', 'B', 'ab', 'a ', '', null,
        true, false, 'c', 'é', '9223372036854775808', "it's", '1e0',
    ];

    public function __construct(private Choices $choices) {}

    /** A literal, most often of the column's own kind. */
    public function literal(Column $column): string
    {
        if ($this->choices->happens(12)) {
            return $this->choices->one(self::STRANGE);
        }

        return $this->ordinary($column);
    }

    public function ordinary(Column $column): string
    {
        if ($this->choices->happens(4)) {
            return 'NULL';
        }

        return $this->choices->one(match (true) {
            $column->holdsText() => self::TEXTS,
            str_contains($column->type, 'INT'), $column->type === 'BOOLEAN' => self::INTEGERS,
            $column->type === '', $column->type === 'BLOB' => [...self::INTEGERS, ...self::TEXTS, "x'61'", "x''"],
            default => self::NUMBERS,
        });
    }

    public function bound(Column $column): int|float|string|bool|null
    {
        if ($this->choices->happens(15)) {
            return $this->choices->one(self::BOUND);
        }
        $number = $this->choices->number(0, 5);

        return match (true) {
            $column->holdsText() => $this->choices->one(['a', 'A', 'b', 'B', 'ab', 'c', '1', 'a ']),
            $this->choices->happens(20) => (string) $number,
            default => $number,
        };
    }
}
