<?php

declare(strict_types=1);

namespace Larder\Dependency\Sql;

/** @internal A value that one execution of a statement has: an integer or a text in the SQL itself, or a parameter. */
final readonly class Constant
{
    /**
     * @param int|string|null $literal  null: it is a parameter
     * @param int             $position of the parameter, from 1 on, as the database numbers them
     * @param string|null     $name     of the parameter, in lower case and without its colon
     */
    private function __construct(
        private int|string|null $literal,
        private int $position = 0,
        private ?string $name = null,
    ) {}

    public static function literal(int|string $value): self
    {
        return new self($value);
    }

    public static function parameter(int $position, ?string $name): self
    {
        return new self(null, $position, $name);
    }

    /**
     * @param array<array-key, mixed> $values of the parameters, by position from 1 on or by name
     *
     * @return int|string|null null: not known. A parameter bound in both ways has the value that was bound later, and
     *     nobody knows which one that is.
     */
    public function value(array $values): int|string|null
    {
        if ($this->literal !== null) {
            return $this->literal;
        }
        $value = $values[$this->position] ?? null;
        if ($this->name !== null && isset($values[$this->name])) {
            $value = $value === null ? $values[$this->name] : null;
        }

        return \is_int($value) || \is_string($value) ? $value : null;
    }
}
