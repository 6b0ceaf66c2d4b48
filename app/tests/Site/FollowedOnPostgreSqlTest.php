<?php

declare(strict_types=1);

namespace App\Tests\Site;

use Larder\Follow\Follower;
use Larder\Follow\Log;
use Larder\Follow\PostgreSql\LogicalSlot;
use Larder\Follow\Queries;
use Larder\Testbed\Server\DatabaseKind;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;

#[CoversClass(Follower::class)]
#[CoversClass(LogicalSlot::class)]
#[RequiresPhpExtension('pdo_pgsql')]
final class FollowedOnPostgreSqlTest extends FollowedSiteCase
{
    protected static function kind(): DatabaseKind
    {
        return DatabaseKind::PostgreSql;
    }

    protected static function log(Queries $queries): Log
    {
        return new LogicalSlot($queries, 'larder_site');
    }
}
