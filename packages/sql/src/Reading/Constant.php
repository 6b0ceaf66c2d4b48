<?php

declare(strict_types=1);

namespace Larder\Sql\Reading;

use Closure;

/** @internal A value that one execution of a statement has: an integer or a text in the SQL itself, or a parameter. */
final readonly class Constant
{
    /**
     * @param int|string|null $literal  null: it is a parameter
     * @param int             $position of the parameter, from 1 on, as the database numbers them; of the literal among
     *     those of the statement's shape, negative if a minus stands before it, 0 if it is none of them
     * @param string|null     $name     of the parameter, `:name` in lower case; null: it has only its position
     */
    private function __construct(
        private int|string|null $literal,
        private int $position = 0,
        private ?string $name = null,
    ) {}

    public static function literal(int|string $value, int $position = 0): self
    {
        return new self($value, $position);
    }

    public static function parameter(int $position, ?string $name): self
    {
        return new self(null, $position, $name);
    }

    /**
     * @param Closure(int, string|null): (array{int|string|null}|null)|null $sent what the database gets as the value of
     *     a parameter, by its position and name; null: it is not certain
     *
     * @param list<int|string>|null $literals of the shape, in the text that runs; null: in the text that was parsed
     *
     * @return int|string|null null: it is NULL, or not certain
     */
    public function value(?Closure $sent, ?array $literals = null): int|string|null
    {
        if ($this->literal === null) {
            return $sent === null ? null : $sent($this->position, $this->name)[0] ?? null;
        }
        if ($literals === null || $this->position === 0) {
            return $this->literal;
        }
        $literal = $literals[abs($this->position) - 1];

        return $this->position < 0 ? -(int) $literal : $literal;
    }
}
