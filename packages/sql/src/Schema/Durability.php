<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

/** @internal What becomes of what the ledger has committed when its server ends. */
enum Durability: int
{
    /** It may be lost. */
    case None = 0;
    /** It is there unless the server's host ends. */
    case Host = 1;
    case Disk = 2;
}
