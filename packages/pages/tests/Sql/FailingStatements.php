<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Larder\Sql\Tracker\PdoStatements;
use PDOException;

/** Larder's own statements, whose questions fail from some moment on. */
final class FailingStatements extends PdoStatements
{
    public bool $fails = false;

    public function rows(string $sql, array $parameters = []): array
    {
        return $this->fails ? throw new PDOException('It is busy.') : parent::rows($sql, $parameters);
    }
}
