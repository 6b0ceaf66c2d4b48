<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

/** Values that are equal for the database and not for PHP, or the other way round, out of few, so that many meet. */
final readonly class Values
{
    public function __construct(
        private Choices $choices,
        private Words $words,
    ) {}

    /** A literal, most often of the column's own kind. */
    public function literal(Column $column): string
    {
        return $this->choices->happens($this->words->isStrict() ? 7 : 12)
            ? $this->choices->one($this->words->strange($column))
            : $this->ordinary($column);
    }

    public function ordinary(Column $column): string
    {
        return $this->choices->happens(4) ? 'NULL' : $this->choices->one($this->words->literals($column));
    }

    public function bound(Column $column): int|float|string|bool|null
    {
        if ($this->choices->happens($this->words->isStrict() ? 8 : 15)) {
            return $this->choices->one($this->words->bound($column));
        }
        $value = $this->choices->one($this->words->own($column));

        return \is_int($value) && $this->choices->happens(20) ? (string) $value : $value;
    }
}
