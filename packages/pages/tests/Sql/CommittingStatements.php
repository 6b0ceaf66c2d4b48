<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Closure;
use Larder\Sql\Tracker\PdoStatements;

/** Larder's own statements on a connection that is looked at right before COMMIT. */
final class CommittingStatements extends PdoStatements
{
    /** @var (Closure(): void)|null */
    public ?Closure $before = null;

    public function send(string $sql): int|false
    {
        if ($sql === 'COMMIT' && $this->before !== null) {
            ($this->before)();
        }

        return parent::send($sql);
    }
}
