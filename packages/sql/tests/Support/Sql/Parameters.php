<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

/** The parameters of a statement that is being made: the values in it are literals, or some of them parameters. */
final class Parameters
{
    /** @var array<array-key, int|float|string|bool|null> */
    private array $values = [];

    private readonly Values $random;

    /** '?', ':', '?1', 'mixed' of these, '@' or '$'; '': none */
    private readonly string $style;

    public function __construct(
        private readonly Choices $choices,
        Words $words,
    ) {
        $this->random = new Values($choices, $words);
        $this->style = $choices->weighted($words->parameters());
    }

    /** A value to compare a column with, or to store in it. */
    public function value(Column $column): string
    {
        if ($this->style === '' || $this->choices->happens(25)) {
            return $this->random->literal($column);
        }

        return $this->parameter($this->random->bound($column));
    }

    /** A value of the column's own kind, and what it is for PHP. */
    public function plain(Column $column): string
    {
        return $this->style === '' ? $this->random->ordinary($column) : $this->parameter($this->random->bound($column));
    }

    public function query(string $sql): Query
    {
        $binding = match (true) {
            $this->values === [] => $this->choices->one([Binding::Text, Binding::Text, Binding::BindValue]),
            default => $this->choices->one([
                Binding::Execute, Binding::BindValue, Binding::BindValue, Binding::BindParam,
            ]),
        };
        // PDO knows these by their position only.
        $isNumbered = \in_array($this->style, ['?1', '@', '$'], true);

        return new Query($sql, $this->values, $isNumbered && $binding === Binding::Execute
            ? Binding::BindValue
            : $binding);
    }

    private function parameter(int|float|string|bool|null $value): string
    {
        $number = \count($this->values) + 1;
        if ($this->style === ':' && $number > 1 && $this->choices->happens(20)) {
            return ':p' . $this->choices->number(1, $number - 1);
        }
        $this->values[$this->style === ':' ? ":p$number" : $number] = $value;

        return match ($this->style) {
            '?', '' => '?',
            ':' => ":p$number",
            '?1' => "?$number",
            'mixed' => [":p$number", "?$number", '?'][$number % 3],
            default => "{$this->style}p$number",
        };
    }
}
