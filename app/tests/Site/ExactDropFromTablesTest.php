<?php

declare(strict_types=1);

namespace App\Tests\Site;

use App\Repository\SqlComments;
use App\Repository\SqlItems;
use Larder\Sql\Ledger\SqlLedger;
use PHPUnit\Framework\Attributes\CoversClass;

/** With the pages made from the tables alone. */
#[CoversClass(SqlComments::class)]
#[CoversClass(SqlItems::class)]
#[CoversClass(SqlLedger::class)]
final class ExactDropFromTablesTest extends ExactDropCase
{
    protected static function environment(): array
    {
        return ['APP_STORE' => 'none'];
    }
}
