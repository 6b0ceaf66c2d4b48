<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use mysqli_result;
use mysqli_sql_exception;

/** @internal What the statements of a text have answered, which the application has yet to fetch. */
final class MysqliResults
{
    /** @var list<array{mysqli_result|bool, MysqliAnswer|null, mysqli_sql_exception|null}> */
    private array $results = [];

    public function add(
        mysqli_result|bool $result,
        ?MysqliAnswer $answer = null,
        ?mysqli_sql_exception $exception = null,
    ): void {
        $this->results[] = [$result, $answer, $exception];
    }

    /** Those of the next statement. */
    public function append(self $results): void
    {
        $this->results = [...$this->results, ...$results->results];
    }

    /** Whether the last one is a failure, behind which nothing has run. */
    public function hasFailed(): bool
    {
        return ($this->results[\count($this->results) - 1][0] ?? null) === false;
    }

    public function clear(): void
    {
        $this->results = [];
    }

    public function isEmpty(): bool
    {
        return $this->results === [];
    }

    public function hasMore(): bool
    {
        return \count($this->results) > 1;
    }

    /** @return mysqli_result|bool|null null: there is none */
    public function current(): mysqli_result|bool|null
    {
        return $this->results[0][0] ?? null;
    }

    public function answer(): ?MysqliAnswer
    {
        return $this->results[0][1] ?? null;
    }

    public function exception(): ?mysqli_sql_exception
    {
        return $this->results[0][2] ?? null;
    }

    /** @return bool whether there is another one */
    public function next(): bool
    {
        array_shift($this->results);

        return $this->results !== [];
    }
}
