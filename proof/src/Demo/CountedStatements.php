<?php

declare(strict_types=1);

namespace Larder\Proof\Demo;

use Larder\Sql\Tracker\PdoStatements;

/** Larder's own statements on a CountingPdo. */
final class CountedStatements extends PdoStatements
{
    public int $statements = 0;

    public function rows(string $sql, array $parameters = []): array
    {
        ++$this->statements;

        return parent::rows($sql, $parameters);
    }

    public function repeatable(string $sql): array
    {
        ++$this->statements;

        return parent::repeatable($sql);
    }

    public function change(string $sql, array $parameters = []): int
    {
        ++$this->statements;

        return parent::change($sql, $parameters);
    }

    public function send(string $sql): int|false
    {
        ++$this->statements;

        return parent::send($sql);
    }
}
