<?php

declare(strict_types=1);

namespace Larder\Dependency\Sql;

/** The SQL of PostgreSQL. Nothing of it is understood yet, so every statement counts as one that may read and write all. */
final readonly class PostgreSqlGrammar implements Grammar
{
    public function token(): string
    {
        return '/(?!)/';
    }

    public function unquote(string $identifier): string
    {
        return $identifier;
    }

    public function isVolatile(string $word, ?array $arguments): bool
    {
        return true;
    }

    public function isTableFunction(string $name): bool
    {
        return false;
    }
}
