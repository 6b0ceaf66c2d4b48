<?php

declare(strict_types=1);

namespace Larder\Tests\Sql\Locking;

use Closure;
use Larder\Sql\Tracker\PdoStatements;
use PDOException;

/** Larder's own statements on a connection that is lost at COMMIT. */
final class LosingStatements extends PdoStatements
{
    /** @var (Closure(): void)|null */
    public ?Closure $lose = null;

    public function send(string $sql): int|false
    {
        $made = parent::send($sql);
        if ($sql !== 'COMMIT' || $this->lose === null) {
            return $made;
        }
        ($this->lose)();
        throw new PDOException('The server has gone away: nobody knows what became of ' . $made);
    }
}
