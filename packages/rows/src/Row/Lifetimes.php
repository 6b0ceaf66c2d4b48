<?php

declare(strict_types=1);

namespace Larder\Row;

use ValueError;

/** @internal For how many seconds entries live, whatever changes. */
final readonly class Lifetimes
{
    /**
     * @param float|null $row    null: without end
     * @param float      $absent of a row that is not there
     *
     * @throws ValueError
     */
    public function __construct(
        private ?float $row,
        private float $absent,
    ) {
        if (($row !== null && !($row > 0.0)) || !($absent > 0.0)) {
            throw new ValueError('A life of rows must be more than 0 seconds');
        }
    }

    public function of(mixed $value): ?float
    {
        return $value === false ? ($this->row === null ? $this->absent : min($this->row, $this->absent)) : $this->row;
    }
}
