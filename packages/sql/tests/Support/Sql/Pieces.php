<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

/** Puts texts together from pieces at random, of which few are SQL. */
final readonly class Pieces
{
    public function __construct(private Choices $choices) {}

    /**
     * @param non-empty-list<string> $pieces
     * @param non-empty-list<string> $between
     */
    public function text(array $pieces, int $most, array $between = ['']): string
    {
        $text = '';
        for ($length = $this->choices->number(0, $most); $length > 0; --$length) {
            $text .= $this->choices->one($pieces) . $this->choices->one($between);
        }

        return $text;
    }

    /**
     * A condition, with as many parentheses closed as are open.
     *
     * @param non-empty-list<string> $before   an operand
     * @param non-empty-list<string> $operands
     * @param non-empty-list<string> $behind   an operand
     * @param non-empty-list<string> $between  operands
     */
    public function condition(array $before, array $operands, array $behind, array $between): string
    {
        $text = '';
        for ($length = $this->choices->number(1, 5), $open = 0; $length > 0; --$length) {
            $prefix = $this->choices->one($before);
            $suffix = $this->choices->one($behind);
            $suffix = $open === 0 && $prefix !== '(' && $suffix === ')' ? '' : $suffix;
            $open += ($prefix === '(' ? 1 : 0) - ($suffix === ')' ? 1 : 0);
            $text .= " $prefix " . $this->choices->one($operands) . " $suffix "
                . ($length === 1 ? str_repeat(')', $open) : $this->choices->one($between));
        }

        return $text;
    }
}
