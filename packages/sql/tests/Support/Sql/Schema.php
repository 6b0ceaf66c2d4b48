<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\Registry;

/** A random schema: its tables and views, and the statements that make them and their first rows. */
final readonly class Schema
{
    /**
     * @param non-empty-list<RandomTable> $tables     views among them
     * @param list<string>                $statements that make it
     * @param list<string>                $settings   of each connection
     * @param array<int, mixed>           $attributes of each connection
     */
    public function __construct(
        public array $tables,
        public array $statements,
        public array $settings,
        public array $attributes = [],
    ) {}

    /** @param list<string> $statements */
    public function with(array $statements): self
    {
        return new self($this->tables, $statements, $this->settings, $this->attributes);
    }

    /** The tables that can be declared, as they are. */
    public function registry(Dialect $dialect): Registry
    {
        $tables = array_map(static fn(RandomTable $table) => $table->declared($dialect), $this->tables);

        return new Registry(...array_values(array_filter($tables)));
    }

    /** @return list<RandomTable> without views */
    public function realTables(): array
    {
        return array_values(array_filter($this->tables, static fn(RandomTable $table): bool => !$table->isView));
    }
}
