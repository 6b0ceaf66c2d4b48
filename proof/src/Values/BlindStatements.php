<?php

declare(strict_types=1);

namespace Larder\Proof\Values;

use Larder\Dependency\PdoSource;
use Larder\Sql\Tracker\PdoStatements;

/** Larder's own statements on a BlindPdo: what asks whether a transaction or a statement is open learns of none. */
final class BlindStatements extends PdoStatements
{
    public function send(string $sql): int|false
    {
        return \in_array($sql, [PdoSource::OUTSIDE, ...PdoSource::AT_END], true) ? 0 : parent::send($sql);
    }
}
