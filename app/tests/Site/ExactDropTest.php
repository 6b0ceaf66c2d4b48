<?php

declare(strict_types=1);

namespace App\Tests\Site;

use App\Repository\CachedComments;
use App\Repository\CachedItems;
use Larder\Sql\Ledger\SqlLedger;
use PHPUnit\Framework\Attributes\CoversClass;

/** With the pages made from rows, lists and counts that come out of the cache, which all pages share. */
#[CoversClass(CachedComments::class)]
#[CoversClass(CachedItems::class)]
#[CoversClass(SqlLedger::class)]
final class ExactDropTest extends ExactDropCase
{
    protected static function environment(): array
    {
        return ['APP_STORE' => 'memory'];
    }
}
