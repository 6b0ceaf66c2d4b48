<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use mysqli_stmt;

/** @internal A statement of mysqli that knows its variables. PHPStan does not know that they are references. */
abstract class BoundMysqliStatement extends mysqli_stmt
{
    /** @var array<int, array{mixed, string}> value and type, by position from 1 on */
    protected array $bound = [];

    /** @var list<array{mixed}> the variables that get the columns of a row */
    private array $columns = [];

    public function bind_param(string $types, mixed &...$vars): bool
    {
        $this->bound = [];
        $isBound = parent::bind_param($types, ...$vars);
        foreach (array_keys($vars) as $number => $key) {
            $this->bound[$number + 1] = [&$vars[$key], $types[$number] ?? ''];
        }

        return $isBound;
    }

    public function bind_result(mixed &...$vars): bool
    {
        $this->columns = [];
        foreach (array_keys($vars) as $key) {
            $this->columns[] = [&$vars[$key]];
        }

        return parent::bind_result(...$vars);
    }

    /** @param list<mixed> $row */
    protected function give(array $row): void
    {
        foreach ($this->columns as $number => $column) {
            $column[0] = $row[$number] ?? null;
        }
    }
}
