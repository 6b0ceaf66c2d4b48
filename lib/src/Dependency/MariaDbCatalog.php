<?php

declare(strict_types=1);

namespace Larder\Dependency;

/** The schema of a MariaDB database. No table of it is known yet. */
final readonly class MariaDbCatalog implements Catalog
{
    public function tableQuery(): string
    {
        return 'SELECT 1 WHERE 1 = 0';
    }

    public function schemaVersion(): string
    {
        return 'SELECT 1 WHERE 1 = 0';
    }

    public function schemaNumber(): string
    {
        return 'SELECT 1 WHERE 1 = 0';
    }

    public function sideEffects(): string
    {
        return 'SELECT 1 WHERE 1 = 0';
    }

    public function uniques(): string
    {
        return 'SELECT 1 WHERE 1 = 0';
    }

    public function tables(): string
    {
        return 'SELECT 1 WHERE 1 = 0';
    }

    public function columns(): array
    {
        return ['columns' => 'SELECT 1 WHERE 1 = 0', 'text' => 'SELECT 1 WHERE 1 = 0'];
    }

    public function typeOf(string $declared, string $collation): ?ColumnType
    {
        return null;
    }

    public function fits(ColumnType $type, string $declared, string $collation): bool
    {
        return false;
    }
}
