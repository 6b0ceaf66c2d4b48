<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

/** One thing that a writer does. */
final readonly class Command
{
    private function __construct(
        public Action $action,
        public Query $query,
    ) {}

    public static function run(Query $query): self
    {
        return new self(Action::Run, $query);
    }

    public static function exec(string $sql): self
    {
        return new self(Action::Exec, new Query($sql));
    }

    public static function of(Action $action, Query $query = new Query('')): self
    {
        return new self($action, $query);
    }

    /** Whether its number of affected rows is its own: for other statements SQLite tells that of an earlier one. */
    public function counts(): bool
    {
        return $this->action !== Action::Prepare
            && preg_match('/^\s*(INSERT|REPLACE|UPDATE|DELETE|WITH)\b(?!.*;.)/is', $this->query->sql) === 1;
    }

    public function __toString(): string
    {
        return $this->query->sql === '' ? $this->action->value : "{$this->action->value}: $this->query";
    }
}
